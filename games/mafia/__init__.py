"""The Mafia games: what they share in ``common``, and a package for each game."""
