"""The base of simple games: a game writes its actions, its facts and what an action does."""
