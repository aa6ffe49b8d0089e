"""The configuration of Dynamite for the common Mafia pages: teams, fates and endings."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from games.mafia.common.town_config import TownConfig, TownForm
from games.mafia.dynamite.rules.state import QUICK
from games.mafia.dynamite.rules.teams import MAFIAS, VULNERABLE_TO, team_sizes
from games.mafia.dynamite.words import card_word, cause_words, ending_words, moment_words, team_word
from games.text.telling import listed


def fate(player: Mapping[str, Any]) -> tuple[str, str, str]:
    told = "lived"
    if not player["is_alive"]:
        causes = player["causes"]
        when = moment_words(causes, player["died_stage"], player["died_round"])
        told = f"{cause_words(causes, player['team'])}{when}"
    return card_word(player["team"]), player["team"], told


def cast(players: int) -> str:
    """Return the teams of a game with their sizes, in words.
    >>> cast(4)
    '1 Rock Mafioso, 1 Paper Mafioso, 1 Scissors Mafioso and 1 Dynamite Townie'
    """
    return listed(f"{size} {card_word(team, size)}" for team, size in team_sizes(players))


def size_table() -> list[tuple[int, int, int]]:
    """Return rows of the numbers of players, of members of each mafia, and of townies."""
    sizes = [(players, team_sizes(players)) for players in (4, 7, 8, 11, 12, 16, 20, 40)]
    return [(players, teams[0][1], teams[-1][1]) for players, teams in sizes]


@cache
def first_gone(prey: int, *others: int) -> float:
    """Return the chance that a mafia is wiped out before the others, if its members and theirs die
    in any order. Townies change nothing.
    >>> [round(first_gone(*sizes), 2) for sizes in ((1, 1, 1), (2, 0, 1), (1, 2, 2))]
    [0.33, 0.0, 0.53]
    """
    if not (prey and all(others)):
        return float(not prey)
    chance = prey * first_gone(prey - 1, *others)
    for place, size in enumerate(others):
        chance += size * first_gone(prey, *others[:place], size - 1, *others[place + 1 :])
    return chance / (prey + sum(others))


def chance(living: Mapping[str, int], hunter: str, is_night: bool) -> float:
    prey = next(prey for prey, other in VULNERABLE_TO.items() if other == hunter)
    return first_gone(living[prey], *(living[team] for team in MAFIAS if team != prey))


TOWN: Final = TownConfig(
    form=TownForm,
    quick=QUICK,
    lead="Three mafias hunt each other in a circle. Votes feed a mafia, and blow up a townie.",
    by_majority=False,
    sides={team.value: team_word(team) for team in MAFIAS},
    cast=cast,
    ending=lambda result: ending_words(result["reason"], result["teams"]),
    fate=fate,
    chance=chance,
    axes=1,
)

seat_fates = TOWN.seat_fates
