"""Commands for accounts."""
