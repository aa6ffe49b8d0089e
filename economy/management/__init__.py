"""Commands of the economy."""
