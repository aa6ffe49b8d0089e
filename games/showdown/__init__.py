"""Showdown: tables with bets, weapons and mines."""
