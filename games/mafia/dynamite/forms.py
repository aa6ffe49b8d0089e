"""The form that opens a game of Rock, Paper, Scissors, Dynamite."""

from __future__ import annotations

from typing import ClassVar

from games.dynamite.rules.options import QUICK
from games.dynamite.rules.teams import LEAST_PLAYERS, MOST_PLAYERS
from games.mafia.forms import TownForm


class DynamiteForm(TownForm):
    """The options of a new game."""

    players: ClassVar[tuple[int, int, int]] = (LEAST_PLAYERS, MOST_PLAYERS, QUICK["seats"])
