"""The form that opens a game of Rock, Paper, Scissors, Dynamite."""

from typing import ClassVar

from games.mafia.common.forms import TownForm
from games.mafia.dynamite.rules.options import QUICK
from games.mafia.dynamite.rules.teams import LEAST_PLAYERS, MOST_PLAYERS


class DynamiteForm(TownForm):
    """The options of a new game."""

    players: ClassVar[tuple[int, int, int]] = (LEAST_PLAYERS, MOST_PLAYERS, QUICK["seats"])
