"""Building blocks of random games: chance from a seed, and a log of inputs.
Source: docs/how-to/add-a-game.md, "The referee".
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any, Final, Generic, TypeVar

from games.engine.choices import clean_options
from games.engine.draws import draw_below
from games.engine.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.protocols import Engine, Rules, is_for_seats
from games.engine.structs import Kinded, canonical, plain, reader_of
from games.testing.random_play import Finished

State = TypeVar("State")
Action = TypeVar("Action", bound=Kinded)


@dataclass(slots=True)
class Chance:
    """A sequence of random numbers fixed by a seed."""

    seed: str
    drawn: int = 0

    def below(self, bound: int) -> int:
        """Return the next number, from 0 up to the bound exclusive."""
        self.drawn += 1
        return draw_below(self.seed, f"trial/{self.drawn}", bound)

    def one_in(self, chances: int) -> bool:
        """Return True with a probability of one in ``chances``."""
        return self.below(chances) == 0


@dataclass(frozen=True, slots=True)
class Input:
    """One entry of a game's input log."""

    kind: str  # act, deadline, postpone, void, take_over
    at: Instant
    seat: SeatNo | None = None
    action: Kinded | None = None


def put_in(rules: Engine[State], state: State, entry: Input) -> Step[State]:
    """Return the step of one input; raises IllegalAction."""
    if entry.kind in ("void", "postpone"):
        assert is_for_seats(rules)
        return rules.void(state) if entry.kind == "void" else rules.postpone(state, entry.at)
    if entry.kind == "deadline":
        return rules.on_deadline(state, entry.at)
    assert entry.seat is not None
    if entry.kind == "take_over":
        assert is_for_seats(rules)
        return rules.take_over(state, entry.seat, entry.at)
    assert entry.action is not None
    return rules.apply(state, entry.seat, entry.action, entry.at)


def reread(rules: Engine[State], state: State) -> State:
    """Return a state as another process reads it from its text; raises ValueError."""
    read: State = reader_of(rules.State).stored(canonical(state))
    return read


#: The instant at which random games begin.
BEGUN_AT: Final = Instant(1_000_000)
#: The most inputs of a game; a game that needs more is stuck.
MOST_INPUTS: Final = 50_000


@dataclass(slots=True)
class Played(Generic[State]):
    """A game: its setup, all inputs and all events."""

    options: Any
    seats: Sequence[SeatSetup]
    seed: str
    state: State
    events: list[Told]
    inputs: list[Input] = field(default_factory=list)
    started_at: Instant = BEGUN_AT


def begin(
    rules: Engine[State], options: Any, seats: Sequence[SeatSetup], seed: str
) -> Played[State]:
    """Return a game that has just begun."""
    step = rules.setup(options, seats, seed, BEGUN_AT)
    return Played(options, seats, seed, step.state, list(step.events))


def go_on(rules: Engine[State], played: Played[State], entry: Input) -> None:
    """Apply one more input to a game; raises IllegalAction."""
    step = put_in(rules, played.state, entry)
    played.state = step.state
    played.events += step.events
    played.inputs.append(entry)


def play_out(
    rules: Rules[State],
    options: Any,
    seats: Sequence[SeatSetup],
    seed: str,
    choose: Callable[[State, Instant], Input],
) -> Played[State]:
    """Play a game until it ends or is voided; ``choose`` gives the next input. ``choose``: a
    function of the state and the instant of the last input. Raises RuntimeError: the game does not
    end.
    """
    played, at = begin(rules, options, seats, seed), BEGUN_AT
    while not rules.is_over(played.state):
        if len(played.inputs) >= MOST_INPUTS:
            raise RuntimeError(f"the game of seed {seed} does not end")
        entry = choose(played.state, at)
        at = entry.at
        go_on(rules, played, entry)
    return played


def in_figures(played: Played[Any], rounds: int, violations: list[str]) -> Finished:
    """Return the figures of a game that was played to its end, with its violations."""
    assert played.state.result is not None
    reason = played.state.result.reason.value
    return Finished(len(played.inputs), rounds, reason, violations)


def steps(
    rules: Engine[State], played: Played[State]
) -> Iterator[tuple[State, Input, Step[State]]]:
    """Replay a game, each state through its text; yield each state, input and step."""
    state = rules.setup(played.options, played.seats, played.seed, played.started_at).state
    for entry in played.inputs:
        state = reread(rules, state)
        step = put_in(rules, state, entry)
        yield state, entry, step
        state = step.state


def replay(rules: Engine[State], played: Played[State]) -> str:
    """Replay a game's inputs; return the last state's text."""
    state = rules.setup(played.options, played.seats, played.seed, played.started_at).state
    for _, _, step in steps(rules, played):
        state = step.state
    return canonical(state)


def pick(chance: Chance, legal: Sequence[Action], weights: Mapping[str, int]) -> Action:
    """Return one of some actions at random, by the weights of their kinds."""
    marks = [action for action in legal for _ in range(weights[action.kind])]
    return marks[chance.below(len(marks))]


def text_violations(rules: Engine[Any], entry: Input, step: Step[Any]) -> Iterator[str]:
    """List the parts of a step that do not survive the round trip through their text."""
    if reread(rules, step.state) != step.state:
        yield f"the state after {entry.kind} comes back as another one"
    for told in step.events:
        if reader_of(rules.Fact).stored(canonical(told.fact)) != told.fact:
            yield f"{told.kind} comes back as another fact"
    asked = entry.action
    if asked is not None and reader_of(rules.Action).made_of(plain(asked)) != asked:
        yield f"{asked.kind} comes back as another action"


def player_of(name: str, rules: Engine[Any]) -> Callable[[str], Finished]:
    """Return the function with this dotted name; without a name one that plays any rules."""
    if name:
        play: Callable[[str], Finished] = resolve_name(name)
        return play
    assert is_for_seats(rules)
    return lambda seed: play_any(rules, seed)


def play_legal(rules: Rules[State], seed: str) -> Played[State]:
    """Play one game of any rules with its default options, by random legal actions."""
    chance, options = Chance(seed), clean_options(rules.Options, {})
    purse = Points(rules.purse_limits(options)[0])
    seats = [SeatSetup(SeatNo(no), purse) for no in range(options.seats)]

    def choose(state: State, at: Instant) -> Input:
        waiting = rules.pending_seats(state)
        due_at = rules.deadline(state)
        if due_at is not None and (not waiting or chance.one_in(8)):
            return Input("deadline", max(at, due_at))
        seat = waiting[chance.below(len(waiting))]
        legal = rules.legal_actions(state, seat)
        return Input("act", Instant(at + 1), seat, legal[chance.below(len(legal))])

    return play_out(rules, options, seats, seed, choose)


def play_any(rules: Rules[Any], seed: str) -> Finished:
    """Play a random game of any rules; check texts, the sum of the nets and refused actions."""
    played = play_legal(rules, seed)
    violations = list[str]()
    for state, entry, step in steps(rules, played):
        violations += text_violations(rules, entry, step)
        for viewer in (SPECTATOR, *(Viewer(seat.no) for seat in played.seats)):
            canonical(rules.view(state, viewer))
    nets = sum(outcome.net for outcome in rules.outcome(played.state).values())
    if nets > 0:
        violations.append(f"the seats win {nets} points that nobody brought")
    return Finished(len(played.inputs), rules.phase(played.state), "ended", violations)
