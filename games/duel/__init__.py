"""Duel: rock-paper-scissors for two."""
