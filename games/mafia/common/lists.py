"""What lists show of towns, whichever Mafia game is played there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.mafia.common.rules.absence import warning
from games.mafia.common.rules.gathering import Gathering
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.roster import find


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line of the lobby shows besides what every game's does."""
    return {
        "phase_seconds": options["phase_seconds"],
        "stage": summary.get("stage"),
        "round": summary.get("round", 0),
        "living": summary.get("living", 0),
    }


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of a spectator's view for lists."""
    return {"stage": view["stage"], "round": view["round"], "living": view["living"]}


def wanted(state: Gathering, seat: int) -> str | None:
    """Return what the game wants of a seat, alike for every role; who has a vote can wait."""
    own = find(state.members, seat)
    if own is None or not own.may_act:
        return None
    if state.stage == Stage.DAY:
        return "Vote" if own.vote is None else None
    return None if own.is_done else "Check in for the night"


def need(state: Gathering, seat: int) -> str | None:
    """Return the same with a warning, where the seat of who does nothing is offered to others."""
    what, own = wanted(state, seat), find(state.members, seat)
    if what is None or own is None or not state.has_substitutes:
        return what
    return f"{what}{warning(own)}"
