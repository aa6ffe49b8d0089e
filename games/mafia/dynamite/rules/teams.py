"""Teams, their vulnerabilities and their sizes.
Source: docs/rules/dynamite.md "Setup".
"""

from enum import StrEnum
from functools import cache
from typing import Final

LEAST_PLAYERS: Final = 4
MOST_PLAYERS: Final = 40


class Team(StrEnum):
    """The team of a player: one of three mafias, or the town."""

    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"
    DYNAMITE = "dynamite"


MAFIAS: Final = (Team.ROCK, Team.PAPER, Team.SCISSORS)
#: A mafia -> the one that kills its members, and wins when all of them are dead.
VULNERABLE_TO: Final = {Team.ROCK: Team.PAPER, Team.PAPER: Team.SCISSORS, Team.SCISSORS: Team.ROCK}


@cache
def team_sizes(players: int) -> tuple[tuple[Team, int], ...]:
    """Return each team's size: a quarter for each mafia, the rest for the town. Raises ValueError.
    >>> [(str(team), size) for team, size in team_sizes(11)]
    [('rock', 2), ('paper', 2), ('scissors', 2), ('dynamite', 5)]
    """
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(f"{LEAST_PLAYERS} to {MOST_PLAYERS} play")
    each = players // 4
    return (*((team, each) for team in MAFIAS), (Team.DYNAMITE, players - each * len(MAFIAS)))
