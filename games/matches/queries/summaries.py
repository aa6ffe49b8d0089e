"""The summary in a match's row, so that lists and records need not decode its state."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.contract import Game, Rated
from games.engine.protocols import Rules
from games.engine.table import TableState


@lru_cache(2048)
def read_summary(stored: str) -> Mapping[str, Any]:
    """Decode a match's stored summary; the result must not be changed."""
    summary: Mapping[str, Any] = json.loads(stored)
    return summary


def is_rated(game: Game, state: TableState) -> bool:
    """Whether a game counts for ratings: it or an option says so, and no bot plays."""
    is_meant = game.counts.rated is Rated.MANY or bool(getattr(state.options, "rated", False))
    return is_meant and not any(seat.bot for seat in state.taken)


def is_staked(rules: Rules[Any], state: TableState) -> bool:
    """Whether a table is played for points."""
    return rules.purse_limits(state.options)[1] > 0
