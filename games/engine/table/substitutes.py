"""Substitutes: take-overs of seats in the running game. A game says which of its seats are open;
the house offers another one when its owner is banned. A bot's seat, or one into which its owner has
paid, cannot be taken over. Source: docs/rules/agora.md "Substitutes".
"""

from typing import Any

from games.engine.errors import AlreadySeated, NotInPhase, SeatNotOpen
from games.engine.facts import Instant, SeatNo, Step, Told
from games.engine.protocols import Rules
from games.engine.structs import replace
from games.engine.table import actions
from games.engine.table.facts import SeatOffered, SeatTakenOver
from games.engine.table.state import RUNNING, State, TableSeat, carry, with_seat


def open_seats(rules: Rules[Any], state: State) -> tuple[SeatNo, ...]:
    """Return the seats of a running game that a substitute may take over now."""
    idle = rules.open_seats(state.play)
    return tuple(
        seat.no
        for seat in state.people
        if not seat.purse and (seat.no in idle or (seat.is_offered and _plays(rules, state, seat)))
    )


def take_over(
    rules: Rules[Any], state: State, seat: SeatNo | None, action: actions.TakeOver, at: Instant
) -> Step[State]:
    """Take over an open seat; raises NotInPhase, AlreadySeated, SeatNotOpen."""
    if state.stage != RUNNING:
        raise NotInPhase("no game is running at this table")
    if seat is not None:
        raise AlreadySeated("you play in this game", seat=seat)
    if action.seat not in open_seats(rules, state):
        raise SeatNotOpen("this seat is not open", seat=action.seat)
    old = state.seats[action.seat]
    new = replace(old, is_offered=False, successions=old.successions + 1)
    step = carry(rules, state, rules.take_over(state.play, new.no, at))
    return Step(with_seat(step.state, new), (Told(SeatTakenOver(new.no)), *step.events))


def expel(rules: Rules[Any], state: State, action: actions.Expel, at: Instant) -> Step[State]:
    """Offer the seat to others if the game's options allow substitutes, else let it leave. Raises
    NotInPhase: the seat takes no part in a running game, or is offered already; IllegalAction: it
    cannot leave.
    """
    if not may_expel(rules, state, action.seat):
        raise NotInPhase("nobody plays there", seat=action.seat)
    if not state.options.substitutes:
        return carry(rules, state, rules.leave(state.play, action.seat, at))
    offered = replace(state.seats[action.seat], is_offered=True)
    return Step(with_seat(state, offered), (Told(SeatOffered(offered.no)),))


def may_expel(rules: Rules[Any], state: State, seat: SeatNo) -> bool:
    """Whether the owner of a seat can be removed from the game; no clock does this."""
    if state.stage != RUNNING or not says_what_then(state.options):
        return False
    chair = state.seats[seat]
    return chair.taken and not chair.is_offered and _plays(rules, state, chair)


def says_what_then(options: Any) -> bool:
    """Whether a game has a rule for a seat without its owner; in other games the clock acts."""
    return hasattr(options, "substitutes")


def _plays(rules: Rules[Any], state: State, seat: TableSeat) -> bool:
    """Whether a seat has a legal action left in the game."""
    return bool(rules.legal_actions(state.play, seat.no))
