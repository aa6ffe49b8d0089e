"""Showdown: rock, paper, scissors with weapons, bets and mines."""
