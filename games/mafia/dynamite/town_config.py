"""The configuration of Dynamite for the common Mafia pages: teams, fates and endings.
Source: docs/rules/dynamite.md "Setup".
"""

from collections.abc import Mapping
from typing import Any, Final

from games.mafia.common.forms import TownForm
from games.mafia.common.town_config import Fate, TownConfig
from games.mafia.common.words import CALLED_OFF
from games.mafia.dynamite.rules.options import QUICK
from games.mafia.dynamite.rules.teams import MAFIAS, team_sizes
from games.mafia.dynamite.words import card_word, cause_words, ending_words, team_word
from games.text.telling import listed

#: The numbers of players for which the rules page shows the team sizes.
SHOWN_SIZES: Final = (4, 7, 8, 11, 12, 16, 20, 40)


def fates(view: Mapping[str, Any]) -> list[Fate]:
    """Return each seat's team and fate from a view after the end, in seat order."""
    game = view["game"]
    awards = dict((game["result"] or {}).get("awards", []))
    return [
        Fate(
            no=player["no"],
            card=card_word(player["team"]),
            look=player["team"],
            fate=_fate(player),
            earned=(awards[player["no"]], 0) if player["no"] in awards else None,
        )
        for player in game["seats"]
    ]


def ending(view: Mapping[str, Any]) -> tuple[str, str]:
    """Return the headline and the reason of the end, from a view after the end."""
    result = view["game"]["result"]
    if result is None or result["reason"] == "void":
        return CALLED_OFF[0], view["match"]["void_reason"] or CALLED_OFF[1]
    return ending_words(result["reason"], result["teams"])


def cast(players: int) -> str:
    """Return the teams of a game with their sizes, in words.

    >>> cast(4)
    '1 Rock Mafioso, 1 Paper Mafioso, 1 Scissors Mafioso and 1 Dynamite Townie'
    """
    return listed(f"{size} {card_word(team, size)}" for team, size in team_sizes(players))


def size_table() -> list[tuple[int, int, int]]:
    """Return rows of the numbers of players, of members of each mafia, and of townies."""
    return [(players, *_mafia_and_town(players)) for players in SHOWN_SIZES]


def _mafia_and_town(players: int) -> tuple[int, int]:
    sizes = [size for _, size in team_sizes(players)]
    return sizes[0], sizes[-1]


def _fate(player: Mapping[str, Any]) -> str:
    if player["is_alive"]:
        return "lived"
    return f"{cause_words(player['causes'], player['team'])}, round {player['died_round']}"


TOWN: Final = TownConfig(
    form=TownForm,
    quick=QUICK,
    lead="Three mafias hunt each other in a circle. Votes feed a mafia, and blow up a townie.",
    by_majority=False,
    sides={team.value: team_word(team) for team in MAFIAS},
    cast=cast,
    ending=ending,
    fates=fates,
)


def seat_fates(game: Mapping[str, Any]) -> dict[int, str]:
    """Return each seat's card and fate in words, from a public view after the end."""
    return {fate.no: f"{fate.card}, {fate.fate}" for fate in fates({"game": game})}
