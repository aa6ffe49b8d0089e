"""Sealed reads: guesses of who is of the mafia, told and scored after the end."""
