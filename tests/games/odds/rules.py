"""The rules of Odds and Evens."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from games.engine.choices import number, switch
from games.engine.errors import NotInPhase, StaleAction
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
from games.engine.protocols import Outcome, Result, require_run_out
from games.engine.stakes import PointsFact, StakeRules, outcomes_of, share_stakes, told_points
from games.engine.structs import SECRET, Hidden, Kinded, Record, kinds_of, replace


class Options(Record, frozen=True):
    """The options that people at a table choose."""

    seats: Annotated[int, number(2, 2)] = 2
    stake: Annotated[int, number(0, 100, chosen=True)] = 5
    clock: Annotated[int, number(5, 60, site="odds.clock")] = 10
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True


class Name(Kinded, frozen=True):
    """Name 1 or 2."""

    number: Literal[1, 2]


class Leave(Kinded, frozen=True):
    """Lose at once."""


class GameStarted(Fact, frozen=True):
    """Both seats may name a number."""

    seats: tuple[SeatNo, ...]


class Named(SecretFact, frozen=True):
    """A seat named this number."""

    seat: SeatNo
    number: int


class NumberNamed(Fact, frozen=True):
    """A seat has named a number."""

    seat: SeatNo


class GameEnded(Fact, frozen=True):
    """The numbers, and who wins."""

    numbers: tuple[int | None, int | None]
    winners: tuple[SeatNo, ...]


class PotAwarded(PointsFact, frozen=True):
    """Both stakes to one seat."""


class StakeRefunded(PointsFact, frozen=True):
    """A stake goes back."""


class GameVoided(Fact, frozen=True):
    """The game does not count."""


class State(Hidden, frozen=True):
    """A whole game; ``winner`` is set when somebody has won it."""

    options: Options
    named: Annotated[tuple[int | None, int | None], SECRET] = (None, None)
    due_at: Instant | None = None
    winner: SeatNo | None = None
    is_over: bool = False
    is_void: bool = False

    @property
    def phase(self) -> int:
        """The phase: 1 while the game runs, then 2."""
        return 2 if self.is_over else 1

    @property
    def winners(self) -> tuple[SeatNo, ...]:
        return () if self.winner is None else (self.winner,)


SEATS = (SeatNo(0), SeatNo(1))


class OddsAndEvens(StakeRules):
    """The rules; holds nothing."""

    version = 1
    State, Action, Options = State, Name | Leave, Options
    Fact = (
        (GameStarted | Named | NumberNamed | GameEnded)
        | (PotAwarded | StakeRefunded | GameVoided | ClockPostponed)
    )  # fmt: skip

    def setup(self, options: Options, seats: Sequence[SeatSetup], seed: str, at: Instant) -> Any:
        if sorted(seat.no for seat in seats) != [0, 1]:
            raise ValueError("seats 0 and 1 play")
        state = State(options, due_at=Instant(at + 1000 * options.clock))
        return Step(state, (Told(GameStarted(SEATS)),))

    def legal_actions(self, state: State, seat: SeatNo) -> list[Kinded]:
        if state.is_over or seat not in SEATS:
            return []
        return [Leave()] if state.named[seat] else [Name(1), Name(2), Leave()]

    def apply(self, state: State, seat: SeatNo, action: Any, at: Instant) -> Step[State]:
        if action not in self.legal_actions(state, seat):
            raise NotInPhase("you have named your number")
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the clock has run out")
        if isinstance(action, Leave):
            return self.leave(state, seat, at)
        one, two = state.named
        named = (action.number, two) if seat == 0 else (one, action.number)
        hidden = Told(Named(seat, action.number), (seat,))
        step = Step(replace(state, named=named), (hidden, Told(NumberNamed(seat))))
        return step if None in named else step.then(self._settle)

    def leave(self, state: State, seat: SeatNo, at: Instant) -> Step[State]:
        return self._end(state, SeatNo(1 - seat))

    def clock_limit(self, state: State) -> int | None:
        return None if state.is_over else 1000 * state.options.clock

    def on_deadline(self, state: State, at: Instant) -> Step[State]:
        require_run_out(state.due_at, at)
        return self._settle(state)

    def void(self, state: State) -> Step[State]:
        if state.is_over:
            raise NotInPhase("the game is over")
        over = replace(state, is_over=True, is_void=True, due_at=None)
        return Step(over, (Told(GameVoided()), *told_points(StakeRefunded, _shares(over))))

    def _settle(self, state: State) -> Step[State]:
        one, two = state.named
        if not one and not two:
            return self._end(state, None)
        return self._end(state, SEATS[(one + two) % 2 if one and two else 0 if one else 1])

    def _end(self, state: State, winner: SeatNo | None) -> Step[State]:
        over = replace(state, is_over=True, due_at=None, winner=winner)
        paid = told_points(PotAwarded if over.winners else StakeRefunded, _shares(over))
        return Step(over, (Told(GameEnded(state.named, over.winners)), *paid))

    def own_view(self, state: State, seat: SeatNo) -> dict[str, Any] | None:
        if seat not in SEATS:
            return None
        return {"may": kinds_of(self.legal_actions(state, seat)), "number": state.named[seat]}

    def public_view(self, state: State) -> dict[str, Any]:
        shown = [number if state.is_over else None for number in state.named]
        return {
            "stage": "over" if state.is_over else "naming",
            "due_at": None if state.due_at is None else iso(state.due_at),
            "seats": [
                {"no": seat, "has_named": state.named[seat] is not None, "number": shown[seat]}
                for seat in SEATS
            ],
            "winner": state.winner,
        }

    def outcome(self, state: State) -> Mapping[SeatNo, Outcome]:
        if not state.is_over:
            return {}
        unwon = Result.NONE if state.is_void else Result.DRAWN
        return outcomes_of(state.options.stake, _shares(state), state.winners, unwon)

    def pending_seats(self, state: State) -> tuple[SeatNo, ...]:
        return () if state.is_over else tuple(no for no in SEATS if state.named[no] is None)


def _shares(state: State) -> dict[SeatNo, Points]:
    return share_stakes(state.options.stake, SEATS, state.winners)[0]
