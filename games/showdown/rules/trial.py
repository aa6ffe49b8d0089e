"""Random legal games of Showdown, and what must be true of every game.

A tool for tests and for the referee command.  Its chance comes from the same
seeded draws as the game's, so that a failing game can be played again anywhere.

Source: docs/rules/showdown.md, "Settling" and the bound on rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.kernel.facts import Action, Event, Instant, Points, SeatNo, SeatSetup
from games.kernel.trials import Chance, Input, put_in
from games.showdown.rules.engine import Showdown
from games.showdown.rules.state import LANDMINE, Reason, TableState

#: How often each kind is picked where it is legal.
WEIGHTS: Final[Mapping[str, int]] = {
    "call": 60,
    "raise_by": 30,
    "fold": 5,
    "attack": 60,
    "lock": 25,
    "combine": 12,
    "add": 4,
    "mine": 4,
    "reset": 2,
    "unlock": 2,
    "leave": 1,
}
#: One input in so many is a passed deadline, a postponed clock, a voided game.
DEADLINE_IN: Final = 25
POSTPONED_IN: Final = 200
VOIDED_IN: Final = 1500
#: One action in so many comes from any seat, not from one the game waits for.
OUT_OF_TURN_IN: Final = 60

#: More inputs than any game needs that is not stuck.
MOST_INPUTS: Final = 20_000


@dataclass(slots=True)
class Played:
    """A game with everything that was put in and came out."""

    options: Mapping[str, Any]
    seats: Sequence[SeatSetup]
    seed: str
    started_at: Instant
    state: TableState
    events: list[Event]
    inputs: list[Input] = field(default_factory=list)
    phases: list[int] = field(default_factory=list)


def play_random(seed: str) -> Played:
    """Play one random legal game to its end, or to its voiding.

    Raises:
        RuntimeError: it does not end.
    """
    rules, chance = Showdown(), Chance(seed)
    options, seats = _random_setup(chance)
    at = Instant(1_000_000)
    step = rules.setup(options, seats, seed, at)
    played = Played(options, seats, seed, at, step.state, list(step.events))
    while not rules.is_over(played.state):
        if len(played.inputs) >= MOST_INPUTS:
            raise RuntimeError(f"the game of seed {seed} does not end")
        entry = _random_input(chance, rules, played.state, at)
        at = entry.at
        step = put_in(rules, played.state, entry)
        played.state = step.state
        played.events += step.events
        played.inputs.append(entry)
        played.phases.append(rules.phase(step.state))
    return played


def replay(played: Played) -> str:
    """Fold the input log again, each state through its text; return the last state's text."""
    rules = Showdown()
    step = rules.setup(played.options, played.seats, played.seed, played.started_at)
    text = rules.encode_state(step.state)
    for entry in played.inputs:
        text = rules.encode_state(put_in(rules, rules.decode_state(text), entry).state)
    return text


def violations(played: Played) -> list[str]:
    """Name everything that is wrong with a game that was played to its end."""
    return [
        *_point_violations(played),
        *_weapon_violations(played),
        *_length_violations(played),
        *(["replay gives another state"] if replay(played) != _text(played) else []),
    ]


def _text(played: Played) -> str:
    return Showdown().encode_state(played.state)


def _random_setup(chance: Chance) -> tuple[dict[str, Any], list[SeatSetup]]:
    seats = 2 + chance.below(3)
    ante = 1 + chance.below(5)
    largest = ante + chance.below(60)
    raw = {
        "seats": seats,
        "ante": ante,
        "largest_purse": largest,
        "target": 3 + chance.below(6),
        "tax_bp": (0, 500, 500, 3333)[chance.below(4)],
        "dealt_least": 1 + chance.below(3),
        "dealt_percent": 20 * chance.below(5),
        "previous_dealer": None if chance.one_in(2) else chance.below(4),
    }
    playing = 2 + chance.below(seats - 1)
    numbers = sorted(range(seats), key=lambda _: chance.below(1000))[:playing]
    purses = [ante + chance.below(largest - ante + 1) for _ in numbers]
    setups = [
        SeatSetup(SeatNo(no), Points(purse)) for no, purse in zip(numbers, purses, strict=True)
    ]
    return Showdown().clean_options(raw), setups


def _random_input(chance: Chance, rules: Showdown, state: TableState, at: Instant) -> Input:
    due_at = rules.deadline(state)
    assert due_at is not None, "a game that is not over has a deadline"
    if chance.one_in(VOIDED_IN):
        return Input("void", at)
    if chance.one_in(POSTPONED_IN):
        return Input("postpone", Instant(at + chance.below(40_000)))
    if chance.one_in(DEADLINE_IN) or at + 50 >= due_at:
        return Input("deadline", Instant(due_at + chance.below(2000)))
    seat = _random_seat(chance, rules, state)
    action = _pick(chance, rules.legal_actions(state, seat))
    return Input("act", Instant(at + chance.below(50)), seat, action)


def _random_seat(chance: Chance, rules: Showdown, state: TableState) -> SeatNo:
    """Mostly somebody the game waits for: out of turn there is little but leaving."""
    seats: Sequence[SeatNo] = rules.pending_seats(state)
    if chance.one_in(OUT_OF_TURN_IN):
        seats = [seat.no for seat in state.live if rules.legal_actions(state, seat.no)]
    return seats[chance.below(len(seats))]


def _pick(chance: Chance, legal: Sequence[Action]) -> Action:
    kinds = list(dict.fromkeys(action.kind for action in legal))
    mark = chance.below(sum(WEIGHTS[kind] for kind in kinds))
    for kind in kinds:
        mark -= WEIGHTS[kind]
        if mark < 0:
            alike = [action for action in legal if action.kind == kind]
            return alike[chance.below(len(alike))]
    raise AssertionError("the mark lies below the sum of the weights")


#: Events that take points out of escrow, to the seat they name; tax goes to the treasury.
_BACK: Final = ("uncalled_returned", "purse_returned", "pot_awarded", "stake_refunded")


def _point_violations(played: Played) -> list[str]:
    escrow = sum(seat.purse for seat in played.seats)
    back: Counter[int] = Counter()
    found = []
    for event in played.events:
        if event.kind in _BACK or event.kind == "tax_taken":
            escrow -= event.data["amount"]
        if event.kind in _BACK:
            back[event.data["seat"]] += event.data["amount"]
        if escrow < 0 or event.data.get("amount", 0) < 0:
            found.append(f"escrow is short at {event.kind}")
    if escrow:
        found.append(f"{escrow} points stay in escrow")
    for no, result in Showdown().outcome(played.state).items():
        if result["paid_out"] != back[no]:
            found.append(f"seat {no} got {back[no]}, the outcome says {result['paid_out']}")
    return [*found, *_refund_violations(played, back)]


def _refund_violations(played: Played, back: Mapping[int, int]) -> list[str]:
    assert played.state.result is not None
    if played.state.result.reason is not Reason.VOID:
        return []
    wrong = [seat.no for seat in played.seats if back[seat.no] != seat.purse]
    return [f"seats {wrong} were not refunded exactly"] if wrong else []


def _weapon_violations(played: Played) -> list[str]:
    put_in = Counter(_added(played.events))
    out: Counter[tuple[int, str]] = Counter()
    for event in played.events:
        if event.kind in ("weapons_used", "weapon_refunded"):
            out[event.data["seat"], event.data["weapon"]] += event.data["count"]
    return [] if put_in == out else [f"weapons put in {put_in}, taken out {out}"]


def _added(events: Iterable[Event]) -> Iterable[tuple[int, str]]:
    for event in events:
        if event.kind == "weapon_added":
            yield event.data["seat"], event.data["weapon"]
        elif event.kind == "mine_planted":
            yield event.data["seat"], LANDMINE


def _length_violations(played: Played) -> list[str]:
    bound = len(played.seats) * (played.options["target"] - 1) + 1
    found = []
    if played.state.round > bound:
        found.append(f"{played.state.round} rounds, at most {bound} are possible")
    if played.phases != sorted(played.phases):
        found.append("the phase went back")
    return found
