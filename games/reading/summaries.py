"""What is kept of a match beside its state, so that lists and records need not decode it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from games.kernel.contract import Rules
from games.kernel.table import TableState

#: A spectator's view of a game.
View = Mapping[str, Any]


def _showdown(game: View) -> dict[str, Any]:
    return {"pot": game["pot"], "round": game["round"]}


def _duel(game: View) -> dict[str, Any]:
    return {
        "throw": game["throw"],
        "wins": [seat["wins"] for seat in game["seats"]],
        "suspended": game["stage"] == "suspended",
    }


#: Game -> what lists show of a running one.
SHOWN: Final[Mapping[str, Callable[[View], dict[str, Any]]]] = {
    "showdown": _showdown,
    "duel": _duel,
}


@lru_cache(2048)
def read_summary(stored: str) -> Mapping[str, Any]:
    """Return what a match's row keeps for lists and views; not to be changed."""
    summary: Mapping[str, Any] = json.loads(stored)
    return summary


def summary_of(game: str, view: View) -> dict[str, Any]:
    """Return what lists show of a game, from what spectators see of it."""
    return SHOWN[game](view)


def is_rated(state: TableState) -> bool:
    """Whether the game at a table counts for ratings: it was asked for, and no bot plays.

    Source: docs/ratings.md "What is rated".
    """
    return bool(getattr(state.options, "rated", False)) and not any(
        seat.bot for seat in state.taken
    )


def is_staked(rules: Rules[Any], state: TableState) -> bool:
    """Whether one sits down with points at a table."""
    return rules.purse_limits(state.options)[1] > 0
