"""Random legal games of Showdown, and checks that every game must pass. A tool for tests and for
the referee command.  Its chance comes from the same seeded draws as the game's, so that a failing
game can be replayed anywhere. Source: docs/rules/showdown.md, "Settling" and the bound on rounds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.engine.facts import Instant, Points, SeatNo, SeatSetup, Step
from games.engine.structs import Reader, canonical
from games.showdown.rules.actions import ShowdownAction
from games.showdown.rules.engine import Showdown
from games.showdown.rules.facts import (
    MinePlanted,
    ShowdownFact,
    WeaponAdded,
    WeaponRefunded,
    WeaponsUsed,
)
from games.showdown.rules.state import Options, Reason, TableState
from games.showdown.rules.weapons import PermanentItem
from tools.referee.trials import Chance, Choose, Input, Played, Trial

#: Kind of action -> its weight where it is legal.
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
#: One input in this many is a passed deadline, a postponed clock, a voided game.
DEADLINE_IN: Final = 25
POSTPONED_IN: Final = 200
VOIDED_IN: Final = 1500
#: One action in this many comes from any seat, not from one that the game waits for.
OUT_OF_TURN_IN: Final = 60

RULES: Final = Showdown()
ACTIONS: Final = Reader[ShowdownAction](ShowdownAction)
FACTS: Final = Reader[ShowdownFact](ShowdownFact)


class ShowdownTrial(Trial[TableState]):
    """Random games of Showdown."""

    def set_up(self, chance: Chance) -> tuple[Options, Sequence[SeatSetup], Choose[TableState]]:
        options, seats = _random_setup(chance)
        return options, seats, lambda state, at: _random_input(chance, state, at)

    def round_of(self, state: TableState) -> int:
        return state.round

    def game_violations(self, played: Played[TableState]) -> Iterator[str]:
        yield from _point_violations(played)
        yield from _weapon_violations(played)
        facts = [told.fact for told in played.events]
        asked = [entry.action for entry in played.inputs if entry.action]
        changed = [fact.kind for fact in facts if FACTS.stored(canonical(fact)) != fact]
        changed += [action.kind for action in asked if ACTIONS.given(canonical(action)) != action]
        yield from (f"{kind} is another one in its text" for kind in changed)
        bound = len(played.seats) * (played.options.target - 1) + 1
        if played.state.round > bound:
            yield f"{played.state.round} rounds, at most {bound} are possible"

    def step_violations(
        self, number: int, before: TableState, entry: Input, step: Step[TableState]
    ) -> Iterator[str]:
        if RULES.phase(step.state) < RULES.phase(before):
            yield "the phase went back"


TRIAL: Final = ShowdownTrial(RULES)


def _random_setup(chance: Chance) -> tuple[Options, list[SeatSetup]]:
    seats = 2 + chance.below(3)
    ante = 1 + chance.below(5)
    largest = ante + chance.below(60)
    options = Options(
        seats=seats,
        ante=Points(ante),
        largest_purse=Points(largest),
        target=3 + chance.below(6),
        tax_bp=(0, 500, 500, 3333)[chance.below(4)],
        dealt_least=1 + chance.below(3),
        dealt_percent=20 * chance.below(5),
        previous_dealer=None if chance.one_in(2) else SeatNo(chance.below(4)),
    )
    playing = 2 + chance.below(seats - 1)
    numbers = sorted(range(seats), key=lambda _: chance.below(1000))[:playing]
    purses = [ante + chance.below(largest - ante + 1) for _ in numbers]
    setups = [
        SeatSetup(SeatNo(no), Points(purse)) for no, purse in zip(numbers, purses, strict=True)
    ]
    return options, setups


def _random_input(chance: Chance, state: TableState, at: Instant) -> Input:
    due_at = RULES.deadline(state)
    assert due_at is not None, "a game that is not over has a deadline"
    if chance.one_in(VOIDED_IN):
        return Input("void", at)
    if chance.one_in(POSTPONED_IN):
        return Input("postpone", Instant(at + chance.below(40_000)))
    if chance.one_in(DEADLINE_IN) or at + 50 >= due_at:
        return Input("deadline", Instant(due_at + chance.below(2000)))
    # Mostly a seat that the game waits for: other seats can do little but leave.
    seats: Sequence[SeatNo] = RULES.pending_seats(state)
    if chance.one_in(OUT_OF_TURN_IN):
        seats = [seat.no for seat in state.live if RULES.legal_actions(state, seat.no)]
    seat = seats[chance.below(len(seats))]
    action = _pick(chance, RULES.legal_actions(state, seat))
    return Input("act", Instant(at + chance.below(50)), seat, action)


def _pick(chance: Chance, legal: Sequence[ShowdownAction]) -> ShowdownAction:
    kinds = list(dict.fromkeys(action.kind for action in legal))
    mark = chance.below(sum(WEIGHTS[kind] for kind in kinds))
    for kind in kinds:
        mark -= WEIGHTS[kind]
        if mark < 0:
            alike = [action for action in legal if action.kind == kind]
            return alike[chance.below(len(alike))]
    raise AssertionError("the mark lies below the sum of the weights")


#: Events that move points from escrow to their seat; tax goes to the treasury.
_BACK: Final = ("uncalled_returned", "purse_returned", "pot_awarded", "stake_refunded")


def _point_violations(played: Played[TableState]) -> list[str]:
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
    for no, result in RULES.outcome(played.state).items():
        if result.paid_out != back[no]:
            found.append(f"seat {no} got {back[no]}, the outcome says {result.paid_out}")
    ending = played.state.result
    assert ending is not None
    wrong = [seat.no for seat in played.seats if back[seat.no] != seat.purse]
    if ending.reason == Reason.VOID and wrong:
        found.append(f"seats {wrong} were not refunded exactly")
    return found


def _weapon_violations(played: Played[TableState]) -> list[str]:
    put_in: Counter[tuple[SeatNo, PermanentItem]] = Counter()
    out: Counter[tuple[SeatNo, PermanentItem]] = Counter()
    for told in played.events:
        fact = told.fact
        if isinstance(fact, WeaponAdded):
            put_in[fact.seat, PermanentItem[fact.weapon.name]] += 1
        elif isinstance(fact, MinePlanted):
            put_in[fact.seat, PermanentItem.LANDMINE] += 1
        elif isinstance(fact, WeaponsUsed | WeaponRefunded):
            out[fact.seat, fact.weapon] += fact.count
    return [] if put_in == out else [f"weapons put in {put_in}, taken out {out}"]
