"""Suspension of a duel by agreement, and its resumption.
Source: docs/rules/duel.md, "Suspension".
"""

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
from games.duel.rules.state import DuelState, Reason, SeatState, Stage, with_seat
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, Step, Told
from games.engine.structs import replace


class AlreadyAsked(IllegalAction):
    """The seat has made this request already; the opponent has not answered yet."""

    code: ClassVar[str] = "action/already_asked"


class NotAsked(IllegalAction):
    """There is no request to withdraw."""

    code: ClassVar[str] = "action/not_asked"


def suspend(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Ask for a suspension, or agree to the opponent's request.  Raises AlreadyAsked."""
    if seat.asks_suspension:
        raise AlreadyAsked("you have asked for a suspension already")
    if not state.opponent(seat).asks_suspension:
        asking = with_seat(state, replace(seat, asks_suspension=True))
        return Step(asking, (Told(SuspensionAsked(seat.no)),))
    due_at = Instant(at + state.options.suspension_milliseconds)
    suspended = _turned(state, Stage.SUSPENDED, due_at)
    return Step(suspended, (Told(Suspended(due_at)),))


def withdraw_suspend(
    state: DuelState, seat: SeatState, action: Any, at: Instant
) -> Step[DuelState]:
    """Withdraw the request for a suspension.  Raises NotAsked."""
    if not seat.asks_suspension:
        raise NotAsked("you have not asked for a suspension")
    calm = with_seat(state, replace(seat, asks_suspension=False))
    return Step(calm, (Told(SuspensionWithdrawn(seat.no)),))


def resume(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Get ready to resume; with both ready the throw gets a full clock.  Raises AlreadyAsked."""
    if seat.is_back:
        raise AlreadyAsked("you are ready to go on already")
    ready = Told(ResumptionReady(seat.no))
    if not state.opponent(seat).is_back:
        return Step(with_seat(state, replace(seat, is_back=True)), (ready,))
    due_at = Instant(at + state.options.clock_milliseconds)
    going_on = _turned(state, Stage.THROWING, due_at)
    return Step(going_on, (ready, Told(Resumed(due_at))))


def withdraw_resume(state: DuelState, seat: SeatState, action: Any, at: Instant) -> Step[DuelState]:
    """Withdraw the readiness to resume.  Raises NotAsked."""
    if not seat.is_back:
        raise NotAsked("you were not ready to go on")
    away = with_seat(state, replace(seat, is_back=False))
    return Step(away, (Told(ResumptionWithdrawn(seat.no)),))


def run_out(state: DuelState) -> Step[DuelState]:
    """End a suspension after its deadline: a ready seat wins, else the duel is abandoned."""
    for seat in state.seats:
        if seat.is_back:
            return award(state, seat, Reason.SUSPENSION)
    return abandon(state)


def _turned(state: DuelState, stage: Stage, due_at: Instant) -> DuelState:
    """Return the duel in another stage, without requests but with its hands."""
    first, second = (replace(seat, asks_suspension=False, is_back=False) for seat in state.seats)
    return replace(state, seats=(first, second), stage=stage, phase=state.phase + 1, due_at=due_at)
