"""Random games, and the checks that each game must pass.
Source: docs/how-to/add-a-game.md, "The referee".
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Generic, TypeVar

from games import registry
from games.engine.choices import clean_options
from games.engine.draws import draw_below
from games.engine.errors import IllegalAction
from games.engine.facts import SPECTATOR, Instant, Points, SeatNo, SeatSetup, Step, Told, Viewer
from games.engine.protocols import Engine, is_for_seats
from games.engine.structs import Kinded, canonical, plain, reader_of

State = TypeVar("State")
Action = TypeVar("Action", bound=Kinded)
#: The instant at which random games begin.
BEGUN_AT: Final = Instant(1_000_000)
#: Maximum number of inputs of a game; a game that needs more is stuck.
MOST_INPUTS: Final = 50_000
#: Maximum number of violations in a summary; a broken rule breaks most games.
MOST_NAMED: Final = 20


@dataclass(slots=True)
class Chance:
    """A sequence of random numbers fixed by a seed, which replays a failing game anywhere."""

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


@dataclass(frozen=True, slots=True)
class Finished:
    """The figures of a random game that was played to its end."""

    inputs: int
    rounds: int
    reason: str
    violations: list[str]


#: Gives the next input, from the state and the instant of the last input.
Choose = Callable[[State, Instant], Input]


class Trial(Generic[State]):
    """Plays random games of an engine and checks them; a game's own trial replaces parts of it."""

    def __init__(self, rules: Engine[State]) -> None:
        self.rules: Any = rules

    def set_up(self, chance: Chance) -> tuple[Any, Sequence[SeatSetup], Choose[State]]:
        """Return options, seats and the source of inputs of a random game."""
        options = clean_options(self.rules.Options, {})
        purse = Points(self.rules.purse_limits(options)[0])
        seats = [SeatSetup(SeatNo(no), purse) for no in range(options.seats)]
        return options, seats, lambda state, at: self._legal_input(chance, state, at)

    def round_of(self, state: State) -> int:
        """Return the number of rounds in a state."""
        return int(self.rules.phase(state))

    def reason_of(self, state: Any) -> str:
        """Return why a game that is over ended."""
        return str(state.result.reason.value) if hasattr(state, "result") else "ended"

    def other_worlds(self, state: State, viewer: Viewer) -> Iterator[State]:
        """Yield states that must look the same to a viewer."""
        yield from ()

    def game_violations(self, played: Played[State]) -> Iterator[str]:
        """Yield the violations in a whole game, whose views must be made for each seat."""
        viewers = (SPECTATOR, *(Viewer(seat.no) for seat in played.seats))
        for _, _, step in steps(self.rules, played):
            for viewer in viewers:
                canonical(self.rules.view(step.state, viewer))
        nets = sum(outcome.net for outcome in self.rules.outcome(played.state).values())
        if nets > 0:
            yield f"the seats win {nets} points that nobody brought"

    def step_violations(
        self, number: int, before: State, entry: Input, step: Step[State]
    ) -> Iterator[str]:
        """Yield the violations in one step."""
        yield from ()

    def play(self, seed: str) -> Played[State]:
        """Play a random legal game until it ends or is voided. Raises RuntimeError if it does not
        end.
        """
        options, seats, choose = self.set_up(Chance(seed))
        played, at = begin(self.rules, options, seats, seed), BEGUN_AT
        while not self.rules.is_over(played.state):
            if len(played.inputs) >= MOST_INPUTS:
                raise RuntimeError(f"the game of seed {seed} does not end")
            entry = choose(played.state, at)
            at = entry.at
            go_on(self.rules, played, entry)
        return played

    def violations(self, played: Played[State]) -> list[str]:
        """Return all violations in a game that was played to its end."""
        found, last = list(self.game_violations(played)), canonical(played.state)
        text = last if not played.inputs else ""
        for number, (before, entry, step) in enumerate(steps(self.rules, played)):
            text = canonical(step.state)
            found += text_violations(self.rules, entry, step)
            found += self.step_violations(number, before, entry, step)
        return found if text == last else [*found, "replay gives another state"]

    def random_game(self, seed: str) -> Finished:
        """Play a random game; return its figures with all violations."""
        played = self.play(seed)
        state = played.state
        found = self.violations(played)
        return Finished(len(played.inputs), self.round_of(state), self.reason_of(state), found)

    def view_violations(self, state: State, *viewers: Viewer) -> Iterator[str]:
        """Yield the viewers to whom another world looks otherwise."""
        for viewer in viewers:
            shown = self.rules.view(state, viewer)
            if any(self.rules.view(o, viewer) != shown for o in self.other_worlds(state, viewer)):
                yield f"the view of {viewer.seat} shows what it may not know"

    def _legal_input(self, chance: Chance, state: State, at: Instant) -> Input:
        waiting = self.rules.pending_seats(state)
        due_at = self.rules.deadline(state)
        if due_at is not None and (not waiting or chance.one_in(8)):
            return Input("deadline", max(at, due_at))
        seat = waiting[chance.below(len(waiting))]
        legal = self.rules.legal_actions(state, seat)
        return Input("act", Instant(at + 1), seat, legal[chance.below(len(legal))])


def trial_of(slug: str) -> Trial[Any]:
    """Return a game's own trial, or one that plays any rules for seats."""
    name = f"{__package__}.{slug}"
    if find_spec(name) is None:
        return Trial(registry.rules_of(slug))
    trial: Trial[Any] = import_module(name).TRIAL
    return trial


def play_many(game: str, play: Callable[[str], Finished], number: int, seed: str) -> dict[str, Any]:
    """Play random games and return a summary under the game's name."""
    violations = list[str]()
    reasons: Counter[str] = Counter()
    inputs = rounds = ended = 0
    for index in range(number):
        name = f"{seed}/{index}"
        try:
            finished = play(name)
        except (IllegalAction, ValueError, RuntimeError, AssertionError) as error:
            violations.append(f"{name}: {type(error).__name__}: {error}")
            continue
        ended += 1
        inputs += finished.inputs
        rounds += finished.rounds
        reasons[finished.reason] += 1
        violations += [f"{name}: {violation}" for violation in finished.violations]
    return {
        "game": game,
        "games": number,
        "ended": ended,
        "inputs": inputs,
        "rounds": rounds,
        "reasons": dict(sorted(reasons.items())),
        "violations": violations[:MOST_NAMED],
    }


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
    """Yield the parts of a step that do not survive the round trip through their text."""
    if reread(rules, step.state) != step.state:
        yield f"the state after {entry.kind} comes back as another one"
    for told in step.events:
        if reader_of(rules.Fact).stored(canonical(told.fact)) != told.fact:
            yield f"{told.kind} comes back as another fact"
    asked = entry.action
    if asked is not None and reader_of(rules.Action).made_of(plain(asked)) != asked:
        yield f"{asked.kind} comes back as another action"
