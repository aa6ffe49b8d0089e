"""Contests: series of games with parties, a contestmaster, and settings to amend."""

LABEL = "contests"
