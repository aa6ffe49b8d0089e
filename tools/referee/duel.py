"""Random legal duels, and checks that every duel must pass. A tool for tests and for the referee
command. Source: docs/rules/duel.md, "The end", "Stakes", "What each viewer sees".
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.duel.rules.actions import Throw
from games.duel.rules.engine import Duel
from games.duel.rules.state import QUICK, DuelState, Hand, Options, Stage, with_seat
from games.engine.choices import clean_options
from games.engine.facts import SPECTATOR, Instant, SeatNo, SeatSetup, Step, Viewer
from games.engine.structs import replace
from tools.referee.trials import Chance, Choose, Input, Played, Trial, pick

#: Kind of action -> its weight where it is legal.
WEIGHTS: Final[Mapping[str, int]] = {
    "throw": 300,
    "suspend": 12,
    "withdraw_suspend": 6,
    "resume": 60,
    "withdraw_resume": 4,
    "resign": 1,
    "leave": 1,
}
#: One input in this many is a passed deadline, a postponed clock, a voided game.
DEADLINE_IN: Final = 12
POSTPONED_IN: Final = 100
VOIDED_IN: Final = 400
#: One duel in this many has two absent players, or two who always throw paper.
ABSENT_IN: Final = 6
ALIKE_IN: Final = 6
#: One duel in this many is a quick one; one seat in this many missed its last one.
QUICK_IN: Final = 5
WARNED_IN: Final = 4
#: One action in this many comes from any seat, not from one that the duel waits for.
OUT_OF_TURN_IN: Final = 8

SEATS: Final = (SeatNo(0), SeatNo(1))
RULES: Final = Duel()


class DuelTrial(Trial[DuelState]):
    """Random duels."""

    def set_up(self, chance: Chance) -> tuple[Options, Sequence[SeatSetup], Choose[DuelState]]:
        options = _random_options(chance)
        habits = (chance.one_in(ABSENT_IN), chance.one_in(ALIKE_IN))
        seats = [SeatSetup(no, options.stake, chance.one_in(WARNED_IN)) for no in SEATS]
        return options, seats, lambda state, at: _random_input(chance, state, at, habits)

    def round_of(self, state: DuelState) -> int:
        return state.throw

    def other_worlds(self, state: DuelState, viewer: Viewer) -> Iterator[DuelState]:
        """Yield the states with other hands of other seats."""
        for seat in state.seats:
            if seat.hand is not None and seat.no != viewer.seat:
                for hand in Hand:
                    yield with_seat(state, replace(seat, hand=hand))

    def game_violations(self, played: Played[DuelState]) -> Iterator[str]:
        yield from _point_violations(played)
        yield from _length_violations(played)

    def step_violations(
        self, number: int, before: DuelState, entry: Input, step: Step[DuelState]
    ) -> Iterator[str]:
        yield from _way_violations(before, entry, step)
        yield from self.view_violations(step.state, *map(Viewer, SEATS), SPECTATOR)
        for event in step.events:
            if event.kind == "hand_chosen" and event.audience != frozenset({event.data["seat"]}):
                yield "a hand was told to others"
            if event.audience is None and "hand" in event.data:
                yield f"{event.kind} names a hand"


TRIAL: Final = DuelTrial(RULES)


def _random_options(chance: Chance) -> Options:
    raw = {
        "no_ties": chance.one_in(2),
        "best_of": 1 + 2 * chance.below((1, 3, 7, 50)[chance.below(4)]),
        "clock_seconds": (5, 30, 86_400)[chance.below(3)],
        "stake": (0, 1, 7, 100)[chance.below(4)],
        "tax_bp": (0, 500, 500, 3333, 10_000)[chance.below(5)],
        "uncounted_limit": (20, 20, 4)[chance.below(3)],
    }
    if chance.one_in(QUICK_IN):
        raw |= {**QUICK, "quick": True}
    return clean_options(Options, raw)


def _random_input(
    chance: Chance, state: DuelState, at: Instant, habits: tuple[bool, bool]
) -> Input:
    is_absent, is_alike = habits
    assert state.due_at is not None, "a duel that is not over has a deadline"
    if chance.one_in(VOIDED_IN):
        return Input("void", at)
    if chance.one_in(POSTPONED_IN):
        return Input("postpone", Instant(at + chance.below(90_000)))
    is_late = chance.one_in(2 if is_absent else DEADLINE_IN)
    if is_late or at + 50 >= state.due_at:
        return Input("deadline", Instant(state.due_at + chance.below(2000)))
    seats: Sequence[SeatNo] = RULES.pending_seats(state) or SEATS
    if chance.one_in(OUT_OF_TURN_IN):
        seats = SEATS
    seat = seats[chance.below(len(seats))]
    action = pick(chance, RULES.legal_actions(state, seat), WEIGHTS)
    if is_alike and isinstance(action, Throw):
        action = Throw(Hand.PAPER)
    return Input("act", Instant(at + chance.below(50)), seat, action)


#: Events that move points from escrow to their seat; tax goes to the treasury.
_BACK: Final = ("purse_returned", "pot_awarded", "stake_refunded")


def _point_violations(played: Played[DuelState]) -> list[str]:
    assert played.state.result is not None
    back: Counter[int] = Counter()
    taken = 0
    for event in played.events:
        if event.kind in _BACK:
            back[event.data["seat"]] += event.data["amount"]
        elif event.kind == "tax_taken":
            taken += event.data["amount"]
    stake, found = played.options.stake, []
    if back.total() + taken != 2 * stake:
        found.append(f"{2 * stake} points in, {back.total() + taken} out")
    if (back[0], back[1]) != played.state.result.awards or taken != played.state.result.tax:
        found.append(f"paid {dict(back)} and {taken} tax, the result says otherwise")
    for no, result in RULES.outcome(played.state).items():
        if result.net != back[no] - stake:
            found.append(f"seat {no} got {back[no]}, the outcome says {result.net} net")
    if not played.state.result.winners and (taken or back[0] != back[1]):
        found.append("nobody won, and the stakes did not go back whole")
    return found


def _length_violations(played: Played[DuelState]) -> list[str]:
    """Check that at most ``best_of`` throws count, and few between two of them do not."""
    best_of, limit = played.options.best_of, played.options.uncounted_limit
    found, counted, uncounted = [], 0, 0
    for event in played.events:
        if event.kind == "hands_revealed" and event.data["counted"]:
            counted, uncounted = counted + 1, 0
        elif event.kind in ("hands_revealed", "throw_voided"):
            uncounted += 1
        if counted > best_of or uncounted > limit:
            found.append(f"{counted} throws counted, {uncounted} since then did not")
    ended = [event for event in played.events if event.kind in ("game_ended", "game_voided")]
    return found if len(ended) == 1 else [*found, f"it ended {len(ended)} times"]


def _way_violations(before: DuelState, entry: Input, step: Step[DuelState]) -> Iterator[str]:
    """Check that a state has a clock or is the end, and the phase counts up in public only."""
    after = step.state
    if (RULES.deadline(after) is None) != RULES.is_over(after):
        yield f"no way on after {entry.kind}"
    if after.phase not in (before.phase, before.phase + 1):
        yield f"the phase went from {before.phase} to {after.phase}"
    in_secret = [event for event in step.events if event.kind in ("hand_chosen", "hand_in")]
    if len(in_secret) == len(step.events) and after.phase != before.phase:
        yield "a hand that came in moved the phase"
    if after.stage is not Stage.OVER and all(seat.hand for seat in after.seats):
        yield "both hands are in and are not shown"
