"""Shared code of all Mafia games: rules, pages, bots, words."""
