"""What random games of every kind are made of: chance from a seed, and a log of what was put in.

Source: docs/adding-a-game.md, "The referee".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from games.kernel.contract import Engine, is_for_seats
from games.kernel.draws import draw_below
from games.kernel.facts import Instant, SeatNo, SeatSetup, Step
from games.kernel.structs import Kinded, canonical, plain, reader_of

State = TypeVar("State")
Action = TypeVar("Action", bound=Kinded)


@dataclass(slots=True)
class Chance:
    """Numbers fixed by a seed, one after the other."""

    seed: str
    drawn: int = 0

    def below(self, bound: int) -> int:
        """Return the next number, from 0 up to the bound exclusive."""
        self.drawn += 1
        return draw_below(self.seed, f"trial/{self.drawn}", bound)

    def one_in(self, chances: int) -> bool:
        """Tell whether something that happens once in so many times happens now."""
        return self.below(chances) == 0


@dataclass(frozen=True, slots=True)
class Input:
    """One entry of a game's input log."""

    kind: str  # act, deadline, postpone, void
    at: Instant
    seat: SeatNo | None = None
    action: Kinded | None = None


def put_in(rules: Engine[State], state: State, entry: Input) -> Step[State]:
    """Return what follows from one input; raises IllegalAction."""
    if entry.kind in ("void", "postpone"):
        assert is_for_seats(rules)
        return rules.void(state) if entry.kind == "void" else rules.postpone(state, entry.at)
    if entry.kind == "deadline":
        return rules.on_deadline(state, entry.at)
    assert entry.seat is not None
    assert entry.action is not None
    return rules.apply(state, entry.seat, entry.action, entry.at)


def reread(rules: Engine[State], state: State) -> State:
    """Return a state as another process reads it from its text; raises ValueError."""
    read: State = reader_of(rules.State).stored(canonical(state))
    return read


class Played(Protocol):
    """A game with what began it and everything that was put in."""

    options: Any
    seats: Sequence[SeatSetup]
    seed: str
    started_at: Instant
    inputs: list[Input]


def steps(rules: Engine[State], played: Played) -> Iterator[tuple[State, Input, Step[State]]]:
    """Play a game again, each state through its text; yield each state, input and step."""
    state = rules.setup(played.options, played.seats, played.seed, played.started_at).state
    for entry in played.inputs:
        state = reread(rules, state)
        step = put_in(rules, state, entry)
        yield state, entry, step
        state = step.state


def replay(rules: Engine[State], played: Played) -> str:
    """Fold a game's inputs again; return the last state's text."""
    state = rules.setup(played.options, played.seats, played.seed, played.started_at).state
    for _, _, step in steps(rules, played):
        state = step.state
    return canonical(state)


def pick(chance: Chance, legal: Sequence[Action], weights: Mapping[str, int]) -> Action:
    """Return one of some actions, each as likely as its kind weighs."""
    marks = [action for action in legal for _ in range(weights[action.kind])]
    return marks[chance.below(len(marks))]


def text_violations(rules: Engine[Any], entry: Input, step: Step[Any]) -> Iterator[str]:
    """Name what of a step does not come back from its text, bounds and all, as it was."""
    if reread(rules, step.state) != step.state:
        yield f"the state after {entry.kind} comes back as another one"
    for told in step.events:
        if reader_of(rules.Fact).stored(canonical(told.fact)) != told.fact:
            yield f"{told.kind} comes back as another fact"
    asked = entry.action
    if asked is not None and reader_of(rules.Action).made_of(plain(asked)) != asked:
        yield f"{asked.kind} comes back as another action"
