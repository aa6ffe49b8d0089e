"""What lists show of Showdown's tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.showdown.rules.state import Stage, TableState

#: Stage -> what somebody who has to decide is told.
NEEDS: Final[Mapping[Stage, str]] = {
    Stage.BETTING: "Your turn to bet",
    Stage.ROUND: "Choose your weapons",
}


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line of the lobby shows besides what every game's does."""
    return {
        "ante": options["ante"],
        "target": options["target"],
        "largest_purse": options["largest_purse"],
        "pot": summary.get("pot", 0),
        "round": summary.get("round", 0),
    }


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of a spectator's view for lists."""
    return {"pot": view["pot"], "round": view["round"]}


def need(state: TableState, seat: int) -> str | None:
    """Return what the game wants of a seat for which it waits."""
    return NEEDS.get(state.stage)
