"""The common rules of all games: pure, without clock, dice or database."""
