"""Contests: a series of games with parties, a contestmaster, and settings that can be amended.
Source: docs/explanation/contests.md.
"""

LABEL = "contests"
