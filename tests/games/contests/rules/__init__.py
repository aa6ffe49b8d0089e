"""The rules of a contest; no database."""
