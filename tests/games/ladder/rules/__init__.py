"""The rules of the ladder; no database."""
