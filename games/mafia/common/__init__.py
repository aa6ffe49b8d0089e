"""What the Mafia games share; a house, not a game."""
