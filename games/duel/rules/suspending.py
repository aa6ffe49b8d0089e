"""Suspending a duel by agreement, and going on with it.

Source: docs/rules/duel.md, "Suspension".
"""

from __future__ import annotations

from typing import Any, ClassVar

from games.duel.rules.facts import (
    Resumed,
    ResumptionReady,
    ResumptionWithdrawn,
    Suspended,
    SuspensionAsked,
    SuspensionWithdrawn,
)
from games.duel.rules.settling import abandon, award
from games.duel.rules.state import DuelState, Reason, SeatState, Stage, with_clock, with_seat
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace


class AlreadyAsked(IllegalAction):
    """The seat has asked for this already; the other one has not answered yet."""

    code: ClassVar[str] = "action/already_asked"


class NotAsked(IllegalAction):
    """There is nothing to take back."""

    code: ClassVar[str] = "action/not_asked"


def suspend(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Ask for a suspension, or agree to the other's asking.  Raises AlreadyAsked."""
    if seat.asks_suspension:
        raise AlreadyAsked("you have asked for a suspension already")
    if not state.opponent(seat).asks_suspension:
        asking = with_seat(state, replace(seat, asks_suspension=True))
        return Step(asking, (Told(SuspensionAsked(seat.no)),))
    suspended, due_at = _turn_to(state, Stage.SUSPENDED, at)
    return Step(suspended, (Told(Suspended(due_at)),))


def withdraw_suspend(
    state: DuelState, seat: SeatState, action: Any, at: Instant
) -> Step[DuelState]:
    """Ask for a suspension no longer.  Raises NotAsked."""
    if not seat.asks_suspension:
        raise NotAsked("you have not asked for a suspension")
    calm = with_seat(state, replace(seat, asks_suspension=False))
    return Step(calm, (Told(SuspensionWithdrawn(seat.no)),))


def resume(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Be ready to go on; with both ready the throw has a full clock.  Raises AlreadyAsked."""
    if seat.is_back:
        raise AlreadyAsked("you are ready to go on already")
    ready = Told(ResumptionReady(seat.no))
    if not state.opponent(seat).is_back:
        return Step(with_seat(state, replace(seat, is_back=True)), (ready,))
    going_on, due_at = _turn_to(state, Stage.THROWING, at)
    return Step(going_on, (ready, Told(Resumed(due_at))))


def withdraw_resume(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Be ready to go on no longer.  Raises NotAsked."""
    if not seat.is_back:
        raise NotAsked("you were not ready to go on")
    away = with_seat(state, replace(seat, is_back=False))
    return Step(away, (Told(ResumptionWithdrawn(seat.no)),))


def run_out(state: DuelState) -> Step[DuelState]:
    """End a suspension that lasted too long: the only one who is ready wins."""
    for seat in state.seats:
        if seat.is_back:
            return award(state, seat, Reason.SUSPENSION)
    return abandon(state)


def _turn_to(state: DuelState, stage: Stage, at: Instant) -> tuple[DuelState, Instant]:
    """Return the duel in another stage, and when it ends: nobody has asked, hands stay in."""
    first, second = (replace(seat, asks_suspension=False, is_back=False) for seat in state.seats)
    turned = replace(state, seats=(first, second), stage=stage, phase=state.phase + 1)
    return with_clock(turned, at)
