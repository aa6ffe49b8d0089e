"""Duel: rock-paper-scissors for two."""

#: The name in rows and addresses.
SLUG = "duel"
