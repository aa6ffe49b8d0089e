"""The rules of every game: pure, with no clock, no dice, no database."""
