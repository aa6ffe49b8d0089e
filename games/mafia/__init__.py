"""The Mafia games: the shared package ``common``, and a package for each game."""
