"""The state and the rules that simple games share: seats, clock, stake, end, views.
Source: docs/tutorials/coin.md.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Generic, TypeVar

from games.engine.choices import number, switch
from games.engine.errors import NotInPhase, StaleAction, refuse
from games.engine.facts import (
    ClockPostponed,
    Fact,
    Instant,
    Points,
    SeatNo,
    SeatSetup,
    Step,
    Told,
    iso,
)
from games.engine.protocols import Outcome, Result, require_run_out
from games.engine.stakes import PointsFact, StakeRules, outcomes_of, share_stakes, told_points
from games.engine.structs import Hidden, Kinded, Record, kinds_of, plain, replace

SECOND = 1_000  # milliseconds


class SimpleOptions(Record, frozen=True):
    """The options: ``stake`` in points, ``clock`` in seconds for a turn. A game may redefine
    ``seats`` and add options.
    """

    seats: Annotated[int, number(2, 2)] = 2
    stake: Annotated[int, number(0, 100, chosen=True)] = 5
    clock: Annotated[int, number(5, 86_400, chosen=True)] = 30
    listed: Annotated[bool, switch(chosen=True)] = True
    spectators: Annotated[bool, switch(chosen=True)] = True


class GameStarted(Fact, frozen=True):
    """The game began with these seats; the stake is in points."""

    seats: tuple[SeatNo, ...]
    stake: Points


class GivenUp(Fact, frozen=True):
    """A seat gave up."""

    seat: SeatNo


class GameEnded(Fact, frozen=True):
    """The game was played to its end; without winners it is a draw."""

    winners: tuple[SeatNo, ...]


class GameVoided(Fact, frozen=True):
    """The game was voided."""


class PotAwarded(PointsFact, frozen=True):
    """A winner got a share of all stakes."""


class StakeRefunded(PointsFact, frozen=True):
    """A seat got its stake back."""


#: The facts of every simple game; a game adds its own to this union.
SimpleFact = (
    GameStarted | GivenUp | GameEnded | GameVoided | PotAwarded | StakeRefunded | ClockPostponed
)

O = TypeVar("O", bound=SimpleOptions)  # noqa: E741


class SimpleState(Hidden, Generic[O], frozen=True):
    """The state; a game adds fields with defaults. ``phase`` counts turns; ``winners`` is None
    while the game runs.
    """

    options: O
    seats: tuple[SeatNo, ...]
    left: tuple[SeatNo, ...] = ()
    phase: int = 1
    due_at: Instant | None = None
    winners: tuple[SeatNo, ...] | None = None
    is_void: bool = False

    @property
    def is_over(self) -> bool:
        return self.winners is not None

    @property
    def playing(self) -> tuple[SeatNo, ...]:
        """The seats that have not given up."""
        return tuple(seat for seat in self.seats if seat not in self.left)


S = TypeVar("S", bound=SimpleState[Any])


class SimpleRules(StakeRules, Generic[S]):
    """The rules of a simple game, which sets ``State``, ``Action`` and ``Fact`` and writes
    ``moves`` and ``play``; it may write ``begin``, ``run_out``, ``go_on``, ``note``, ``shown`` and
    ``own``.
    """

    version = 1
    Options: Any = SimpleOptions
    State: Any
    Action: Any
    Fact: Any

    # What a game writes -------------------------------------------------------------------

    def moves(self, state: S, seat: SeatNo) -> Sequence[Kinded]:
        """Return the actions that a seat may do now; without any the game does not wait for it."""
        raise NotImplementedError

    def play(self, state: S, seat: SeatNo, action: Any) -> Step[S]:
        """Apply one of the seat's moves. A new phase starts a new clock; ``end`` ends the game."""
        raise NotImplementedError

    def begin(self, state: S, seed: str) -> S:
        """Fill the game's own fields of a new state; chance comes from the seed."""
        return state

    def run_out(self, state: S) -> Step[S]:
        """Apply the end of the clock: the seats that the game waits for lose."""
        late = self.pending_seats(state)
        return self.end(state, tuple(seat for seat in state.playing if seat not in late))

    def go_on(self, state: S) -> Step[S]:
        """Continue after a seat gave up, while two or more still play."""
        return Step(state)

    def note(self, state: S, seat: SeatNo | None) -> str:
        """Return a line for the board, about a seat or (None) the game. Everybody reads it: no
        secrets.
        """
        return ""

    def shown(self, state: S) -> dict[str, Any]:
        """Return more fields of the public view."""
        return {}

    def own(self, state: S, seat: SeatNo) -> dict[str, Any]:
        """Return more fields of a seat's own view."""
        return {}

    # The end --------------------------------------------------------------------------------

    def end(self, state: S, winners: tuple[SeatNo, ...]) -> Step[S]:
        """End the game. The winners share all stakes; without winners the stakes go back."""
        over = replace(state, winners=winners, due_at=None, phase=state.phase + 1)
        paid = told_points(PotAwarded if winners else StakeRefunded, _shares(over))
        return Step(over, (Told(GameEnded(winners)), *paid))

    def void(self, state: S) -> Step[S]:
        if state.is_over:
            raise NotInPhase("the game is over")
        ended = self.end(state, ())
        voided = replace(ended.state, is_void=True)
        return Step(voided, (Told(GameVoided()), *ended.events[1:]))

    # The contract of all rules ------------------------------------------------------------------

    def setup(self, options: Any, seats: Sequence[SeatSetup], seed: str, at: Instant) -> Step[S]:
        if not self.min_seats <= len(seats) <= self.max_seats:
            raise ValueError(f"{self.min_seats} to {self.max_seats} seats play")
        numbers = tuple(sorted(seat.no for seat in seats))
        state = self.begin(self.State(options=options, seats=numbers), seed)
        started = Told(GameStarted(numbers, Points(options.stake)))
        return Step(_with_clock(state, at), (started,))

    def apply(self, state: S, seat: SeatNo, action: Any, at: Instant) -> Step[S]:
        if seat not in state.seats:
            refuse("action/not_seated", "you do not play")
        if action not in self.legal_actions(state, seat):
            raise NotInPhase("that is not possible now")
        if state.due_at is not None and at >= state.due_at:
            raise StaleAction("the clock has run out")
        return self._timed(state, self.play(state, seat, action), at)

    def on_deadline(self, state: S, at: Instant) -> Step[S]:
        require_run_out(state.due_at, at)
        return self._timed(state, self.run_out(state), at)

    def leave(self, state: S, seat: SeatNo, at: Instant) -> Step[S]:
        if state.is_over or seat not in state.playing:
            raise NotInPhase("you do not play any more")
        left = replace(state, left=(*state.left, seat))
        alone = len(left.playing) == 1
        step = self.end(left, left.playing) if alone else self.go_on(left)
        gone = Step(step.state, (Told(GivenUp(seat)), *step.events))
        return self._timed(state, gone, at)

    def _timed(self, before: S, step: Step[S], at: Instant) -> Step[S]:
        if step.state.is_over or step.state.phase == before.phase:
            return step
        return Step(_with_clock(step.state, at), step.events)

    def legal_actions(self, state: S, seat: SeatNo) -> Sequence[Kinded]:
        return () if state.is_over or seat not in state.playing else self.moves(state, seat)

    def pending_seats(self, state: S) -> tuple[SeatNo, ...]:
        return tuple(seat for seat in state.playing if self.legal_actions(state, seat))

    def clock_limit(self, state: S) -> int | None:
        return None if state.is_over else SECOND * int(state.options.clock)

    def is_over(self, state: S) -> bool:
        return state.is_over

    def outcome(self, state: S) -> Mapping[SeatNo, Outcome]:
        if state.winners is None:
            return {}
        unwon = Result.NONE if state.is_void else Result.DRAWN
        return outcomes_of(state.options.stake, _shares(state), state.winners, unwon)

    def public_view(self, state: S) -> dict[str, Any]:
        waiting = self.pending_seats(state)
        shares = _shares(state) if state.is_over else {}
        return {
            "stage": "over" if state.is_over else "playing",
            "due_at": None if state.due_at is None else iso(state.due_at),
            "stake": state.options.stake,
            "note": self.note(state, None),
            "seats": [
                {
                    "no": seat,
                    "is_awaited": seat in waiting,
                    "has_left": seat in state.left,
                    "note": self.note(state, seat),
                }
                for seat in state.seats
            ],
            "result": None
            if state.winners is None
            else {
                "winners": list(state.winners),
                "awards": [[seat, share] for seat, share in shares.items()],
            },
            **self.shown(state),
        }

    def own_view(self, state: S, seat: SeatNo) -> dict[str, Any] | None:
        if seat not in state.seats:
            return None
        moves = self.legal_actions(state, seat)
        return {
            "may": kinds_of(moves),
            "moves": [{"label": label_of(move), "action": plain(move)} for move in moves],
            **self.own(state, seat),
        }


def label_of(move: Kinded) -> str:
    """Return the text of a move's button: its kind and its fields."""
    fields = {name: value for name, value in plain(move).items() if name != "kind"}
    words = " ".join([move.kind.replace("_", " "), *map(str, fields.values())])
    return words[:1].upper() + words[1:]


def _with_clock(state: S, at: Instant) -> S:
    return replace(state, due_at=Instant(at + SECOND * state.options.clock))


def _shares(state: SimpleState[Any]) -> dict[SeatNo, Points]:
    return share_stakes(state.options.stake, state.seats, state.winners or ())[0]
