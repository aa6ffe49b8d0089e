"""What lists show of towns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.agora.rules.state import AgoraState
from games.mafia.rules.absence import warning
from games.mafia.rules.phases import Stage


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line of the lobby shows besides what every game's does."""
    return {
        "citizens": options["seats"],
        "phase_seconds": options["phase_seconds"],
        "stage": summary.get("stage"),
        "round": summary.get("round", 0),
        "living": summary.get("living", 0),
    }


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of a spectator's view for lists."""
    return {"stage": view["stage"], "round": view["round"], "living": view["living"]}


def need(state: AgoraState, seat: int) -> str | None:
    """Return what the game wants of a seat, alike for every role; who has a vote can wait."""
    own = state.citizen(seat)
    if own is None or not own.is_alive:
        return None
    if state.stage == Stage.DAY:
        what = "Vote" if own.vote is None else None
    else:
        what = None if own.is_done else "Check in for the night"
    if what is not None and state.options.substitutes:
        return f"{what}{warning(own)}"
    return what
