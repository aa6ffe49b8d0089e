"""List rows of Showdown's tables."""

from collections.abc import Mapping
from typing import Any, Final

from games.showdown.rules.state import Stage, TableState

#: Stage -> the text for a seat with a pending decision.
NEEDS: Final[Mapping[Stage, str]] = {
    Stage.BETTING: "Your turn to bet",
    Stage.ROUND: "Choose your weapons",
}


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return Showdown's fields of a row in the lobby."""
    return {
        "ante": options["ante"],
        "target": options["target"],
        "largest_purse": options["largest_purse"],
        "pot": summary.get("pot", 0),
        "round": summary.get("round", 0),
    }


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a spectator's view that lists store."""
    return {"pot": view["pot"], "round": view["round"]}


def need(state: TableState, seat: int) -> str | None:
    """Return the action that the game waits for from a seat."""
    return NEEDS.get(state.stage)
