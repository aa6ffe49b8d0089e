"""Short ways to set a duel up and to play it from words."""

from typing import Any

import pytest

from games.duel.rules.actions import DuelAction
from games.duel.rules.engine import Duel
from games.duel.rules.state import DuelState, Options
from games.engine.choices import clean_options
from games.engine.errors import IllegalAction
from games.engine.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import Reader, canonical

RULES = Duel()
NOON = Instant(1_795_262_400_000)
A, B = SeatNo(0), SeatNo(1)
DAY = 86_400_000

ACTIONS: Reader[DuelAction] = Reader(DuelAction)
HANDS = {"r": "rock", "p": "paper", "s": "scissors"}


def new_duel(**options: Any) -> Step[DuelState]:
    cleaned = clean_options(Options, options)
    seats = [SeatSetup(A, cleaned.stake), SeatSetup(B, cleaned.stake)]
    return RULES.setup(cleaned, seats, "5eed", NOON)


def duel(*words: str, **options: Any) -> DuelState:
    """Return a new duel after these words; see play."""
    return play(new_duel(**options).state, *words).state


def play(state: DuelState, *words: str) -> Step[DuelState]:
    """Play words as one step: ``0r`` seat 0 throws rock, ``1 suspend``, ``late``.

    Each action comes in the last second of the clock that runs.
    """
    step: Step[DuelState] = Step(state)
    for word in words:
        step = step.then(lambda current, word=word: _one(current, word))
    return step


def _one(state: DuelState, word: str) -> Step[DuelState]:
    if word == "late":
        due_at = RULES.deadline(state)
        assert due_at is not None
        return RULES.on_deadline(state, due_at)
    seat, asked = SeatNo(int(word[0])), word[1:].strip()
    raw = {"kind": "throw", "hand": HANDS[asked]} if asked in HANDS else {"kind": asked}
    in_time = Instant(NOON if state.due_at is None else state.due_at - 1_000)
    return RULES.apply(state, seat, ACTIONS.made_of(raw), in_time)


def code(state: DuelState, word: str) -> str:
    """Return the code with which a word is refused, having seen that nothing changed."""
    before = canonical(state)
    with pytest.raises(IllegalAction) as refusal:
        play(state, word)
    assert canonical(state) == before
    return refusal.value.code


def kinds(step: Step[Any]) -> list[str]:
    return [told.kind for told in step.events]


def only(step: Step[Any], kind: str) -> dict[str, Any]:
    (told,) = [told for told in step.events if told.kind == kind]
    return dict(told.data)


def paid(step: Step[Any]) -> list[tuple[str, int | None, int]]:
    """Return what moved: kind, seat (None: the treasury), points."""
    told = [(told.kind, told.data) for told in step.events if "amount" in told.data]
    return [(kind, data.get("seat"), data["amount"]) for kind, data in told]


def wins(state: DuelState) -> list[int]:
    return [seat.wins for seat in state.seats]


def view(state: DuelState, no: int | None = None) -> dict[str, Any]:
    return RULES.view(state, SPECTATOR if no is None else Viewer(SeatNo(no)))
