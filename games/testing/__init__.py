"""Tools for testing the rules of any game: random play and its checks."""
