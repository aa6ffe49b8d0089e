"""Showdown: tables with bets, weapons and mines."""

#: The name in rows and addresses.
SLUG = "showdown"
