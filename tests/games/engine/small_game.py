"""A game that is only there for the tests: everybody names a number in secret.

The sum of the numbers says whose game it was.  Two to forty seats play; when the last number is in
the game ends a second later, which nobody is told.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from games.engine.choices import number, switch
from games.engine.errors import NotInPhase, StaleAction, refuse
from games.engine.facts import (
    ClockPostponed,
    Fact,
    Instant,
    Points,
    SeatNo,
    SeatSetup,
    SecretFact,
    Step,
    Told,
    iso,
)
from games.engine.protocols import Outcome, Result, TableRules, require_run_out
from games.engine.stakes import PointsFact, told_points
from games.engine.structs import SECRET, Hidden, Kinded, Record, replace

SECOND = 1_000
CLOCK = 20 * SECOND


class Options(Record, frozen=True):
    seats: Annotated[int, number(2, 40, chosen=True)] = 4
    ante: Annotated[Points, number(1, 1000, chosen=True)] = Points(1)
    largest_purse: Annotated[Points, number(1, 1000, chosen=True, site="small.purse")] = Points(100)
    target: Annotated[int, number(3, 15, chosen=True)] = 5
    tax_bp: Annotated[int, number(0, 10_000, site="small.tax_bp")] = 500
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True
    previous_winner: Annotated[SeatNo, Meta(ge=0, le=39)] | None = None

    def __post_init__(self) -> None:
        if self.largest_purse < self.ante:
            refuse("action/bad_option", "the largest purse covers the ante", option="largest_purse")


class Name(Kinded, frozen=True):
    number: Annotated[int, Meta(ge=0, le=9)]
    note: Annotated[str, Meta(max_length=20, pattern=r"\A[a-z]*\Z")] = ""


class Pass(Kinded, frozen=True):
    """Name no number."""


class Leave(Kinded, frozen=True):
    """Walk out."""


class GameStarted(Fact, frozen=True):
    seats: tuple[SeatNo, ...]


class Named(SecretFact, frozen=True):
    seat: SeatNo
    number: Annotated[int | None, SECRET]


class SeatDone(Fact, frozen=True):
    seat: SeatNo


class GameEnded(Fact, frozen=True):
    winner: SeatNo | None


class GameVoided(Fact, frozen=True):
    """The game was called off."""


class StakeRefunded(PointsFact, frozen=True):
    """A purse goes back."""


class Seat(Hidden, frozen=True):
    no: SeatNo
    purse: Points
    is_done: bool = False
    number: Annotated[int | None, SECRET] = None


class State(Hidden, frozen=True):
    options: Options
    seed: Annotated[str, SECRET]
    seats: tuple[Seat, ...]
    shown_at: Instant
    due_at: Instant | None
    winner: SeatNo | None = None


class SmallGame(TableRules):
    version: int = 1
    min_seats: int = 2
    max_seats: int = 40
    Options: Any = Options
    State: Any = State
    Action: Any = Name | Pass | Leave
    Fact: Any = (
        GameStarted | Named | SeatDone | GameEnded | GameVoided | StakeRefunded | ClockPostponed
    )

    def purse_limits(self, options: Any) -> tuple[int, int]:
        return options.ante, options.largest_purse

    def setup(
        self, options: Any, seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[State]:
        made = tuple(Seat(s.no, s.purse) for s in sorted(seats, key=lambda seat: seat.no))
        numbers = tuple(seat.no for seat in made)
        if len(set(numbers)) != len(seats) or len(seats) < self.min_seats:
            raise ValueError("two seats or more play, each once")
        least, most = self.purse_limits(options)
        if not all(least <= seat.purse <= most for seat in seats):
            raise ValueError("a purse is not within its limits")
        due_at = Instant(at + CLOCK)
        return Step(State(options, seed, made, due_at, due_at), (Told(GameStarted(numbers)),))

    def legal_actions(self, state: State, seat: SeatNo) -> list[Kinded]:
        if seat not in self.pending_seats(state):
            return []
        return [*(Name(n) for n in range(10)), Pass(), Leave()]

    def apply(self, state: State, seat: SeatNo, action: Any, at: Instant) -> Step[State]:
        mine = next((each for each in state.seats if each.no == seat), None)
        if mine is None:
            refuse("action/not_seated", "only a seat that takes part may act")
        if state.due_at is None or mine.is_done:
            raise NotInPhase("you have decided")
        if at >= state.due_at:
            raise StaleAction("the clock has run out")
        if isinstance(action, Leave):
            return self._end(state, None)
        chosen = action.number if isinstance(action, Name) else None
        done = replace(mine, is_done=True, number=chosen)
        seats = tuple(done if each.no == seat else each for each in state.seats)
        told = (Told(Named(seat, chosen), {seat}), Told(SeatDone(seat)))
        due_at = Instant(at + SECOND) if all(each.is_done for each in seats) else state.due_at
        return Step(replace(state, seats=seats, due_at=due_at), told)

    def leave(self, state: State, seat: SeatNo, at: Instant) -> Step[State]:
        return self.apply(state, seat, Leave(), at)

    def on_deadline(self, state: State, at: Instant) -> Step[State]:
        require_run_out(state.due_at, at)
        total = sum(seat.number or 0 for seat in state.seats)
        return self._end(state, state.seats[total % len(state.seats)].no)

    def _end(self, state: State, winner: SeatNo | None, ended: Fact | None = None) -> Step[State]:
        refunds = told_points(StakeRefunded, {seat.no: seat.purse for seat in state.seats})
        over = replace(state, due_at=None, winner=winner)
        return Step(over, (Told(ended or GameEnded(winner)), *refunds))

    def void(self, state: State) -> Step[State]:
        if state.due_at is None:
            raise NotInPhase("the game is over")
        return self._end(state, None, GameVoided())

    def postpone(self, state: State, due_at: Instant) -> Step[State]:
        if state.due_at is None:
            return Step(state)
        later = max(state.due_at, due_at)
        moved = replace(state, due_at=later, shown_at=max(state.shown_at, due_at))
        return Step(moved, (Told(ClockPostponed(later)),))

    def shown_deadline(self, state: State) -> Instant | None:
        return None if state.due_at is None else state.shown_at

    def clock_limit(self, state: State) -> int | None:
        return None if state.due_at is None else CLOCK

    def phase(self, state: State) -> int:
        return 2 if state.due_at is None else 1

    def pending_seats(self, state: State) -> tuple[SeatNo, ...]:
        if state.due_at is None:
            return ()
        return tuple(seat.no for seat in state.seats if not seat.is_done)

    def own_view(self, state: State, seat: SeatNo) -> dict[str, Any] | None:
        mine = next((each for each in state.seats if each.no == seat), None)
        return None if mine is None else {"seat": mine.no, "number": mine.number}

    def public_view(self, state: State) -> dict[str, Any]:
        return {
            "due_at": None if state.due_at is None else iso(state.shown_at),
            "seats": [{"no": s.no, "purse": s.purse, "is_done": s.is_done} for s in state.seats],
            "winner": state.winner,
        }

    def outcome(self, state: State) -> Mapping[SeatNo, Outcome]:
        if state.due_at is not None:
            return {}
        other = Result.NONE if state.winner is None else Result.LOST
        return {
            s.no: Outcome(Result.WON if s.no == state.winner else other, 0) for s in state.seats
        }

    def carry_over(self, state: State) -> dict[str, Any]:
        return {"previous_winner": state.winner}
