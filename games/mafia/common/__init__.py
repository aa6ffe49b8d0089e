"""The part that all Mafia games share: rules, pages, bots, words."""
