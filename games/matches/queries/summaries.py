"""What is kept of a match beside its state, so that lists and records need not decode it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.engine.protocols import Rules
from games.engine.table import TableState


@lru_cache(2048)
def read_summary(stored: str) -> Mapping[str, Any]:
    """Return what a match's row keeps for lists and views; not to be changed."""
    summary: Mapping[str, Any] = json.loads(stored)
    return summary


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
