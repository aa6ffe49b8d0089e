"""The admin of games."""
