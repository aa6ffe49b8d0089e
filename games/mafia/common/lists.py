"""List rows of matches, common to all Mafia games."""

from collections.abc import Mapping
from typing import Any

from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import MOST_IDLE
from games.mafia.common.rules.state import TownState


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the Mafia fields of a row in the lobby."""
    return {
        "phase_seconds": options["phase_seconds"],
        "stage": summary.get("stage"),
        "round": summary.get("round", 0),
        "living": summary.get("living", 0),
    }


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a spectator's view that lists store."""
    return {"stage": view["stage"], "round": view["round"], "living": view["living"]}


def wanted(state: TownState[Any], seat: int) -> str | None:
    """Return the pending action, the same for every role; None after a vote or a check-in."""
    own = state.member(seat)
    if own is None or not own.may_act:
        return None
    if state.stage == Stage.DAY:
        return "Vote" if own.vote is None else None
    return None if own.is_done else "Check in for the night"


def need(state: TownState[Any], seat: int) -> str | None:
    """Return the same with a warning if the idle seat will be, or is, open to substitutes.

    Source: docs/rules/agora.md "Substitutes".
    """
    what, own = wanted(state, seat), state.member(seat)
    if what is None or own is None or not state.has_substitutes:
        return what
    if own.idle_phases >= MOST_IDLE:
        return f"{what}: your seat is open to others"
    is_near = own.idle_phases == MOST_IDLE - 1
    return f"{what}, or your seat is offered to others" if is_near else what
