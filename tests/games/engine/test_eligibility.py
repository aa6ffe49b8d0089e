"""Readiness after a newcomer, purses on offer, and clocks against bots.

Source: docs/explanation/decisions/tables.md.
"""

from typing import Any

import pytest

from games.engine import errors
from games.engine.choices import clean_options
from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import replace
from games.engine.table import COUNTDOWN, NOT_READY_LIMIT, OVER, Table, TableState
from games.engine.table.purses import largest_purse, offered_purse
from games.showdown.rules.engine import Showdown
from tests.games.engine.test_table import DUEL, NOON, SEED, A, B

SHOWDOWN = Table(Showdown())
SOON = Instant(NOON + 1_000)
LATER = Instant(NOON + COUNTDOWN)


def opened(table: Table, **options: Any) -> TableState[Any]:
    return table.open(clean_options(table.rules.Options, options), NOON)


def one_sits(table: Table, **options: Any) -> TableState[Any]:
    return sit(table, opened(table, **options), 0, 20 if table is SHOWDOWN else 0).state


def two_sit(table: Table, **options: Any) -> TableState[Any]:
    return sit(table, one_sits(table, **options), 1, 20 if table is SHOWDOWN else 0).state


def sit(table: Table, state: TableState[Any], seat: int, purse: int = 0) -> Step[TableState[Any]]:
    return table.apply(state, None, {"kind": "sit", "seat": seat, "purse": purse}, NOON)


def bot(table: Table, state: TableState[Any], seat: int, purse: int = 0) -> TableState[Any]:
    return table.apply_house(state, {"kind": "sit_bot", "seat": seat, "purse": purse}, NOON).state


def ready(
    table: Table, state: TableState[Any], *seats: SeatNo, at: Instant = NOON
) -> TableState[Any]:
    for seat in seats:
        state = table.apply(state, seat, {"kind": "ready", "configuration": 1}, at).state
    return state


def kinds(step: Step[Any]) -> list[tuple[str, Any]]:
    return [(told.kind, told.data.get("reason")) for told in step.events]


# Decision 41 -----------------------------------------------------------------------------


def test_duel_whoever_is_ready_looks_again_when_somebody_sits_down_or_stands_up() -> None:
    waiting = ready(DUEL, one_sits(DUEL), A)
    assert waiting.seats[A].ready
    joined = sit(DUEL, waiting, 1)
    assert [seat.ready for seat in joined.state.seats] == [False, False]
    assert kinds(joined) == [("sat", None), ("became_unready", "sat")]
    assert joined.events[1].data["seat"] == A
    one_ready = ready(DUEL, joined.state, B)
    left = DUEL.apply(one_ready, A, {"kind": "stand"}, NOON)
    assert kinds(left) == [("stood", "stood"), ("became_unready", "stood")]
    assert not left.state.seats[B].ready


def test_duel_accepting_a_challenge_starts_it_after_five_seconds() -> None:
    asked = replace(opened(DUEL), is_challenge=True)
    waiting = ready(DUEL, sit(DUEL, asked, 0).state, A)
    joined = sit(DUEL, waiting, 1)
    assert kinds(joined) == [("sat", None)]
    assert joined.state.seats[A].ready
    accepted = ready(DUEL, joined.state, B, at=SOON)
    assert (accepted.starting, accepted.start_at) == (False, LATER)
    assert DUEL.on_deadline(accepted, LATER).state.starting
    assert DUEL.apply(accepted, A, {"kind": "unready"}, SOON).state.start_at is None


def test_table_stores_nothing_new_unless_it_is_a_challenge() -> None:
    assert "challenge" not in DUEL.encode_table(opened(DUEL))
    asked = replace(opened(DUEL), is_challenge=True)
    assert DUEL.decode(*DUEL.encode(asked)).is_challenge is True


def test_duel_of_two_who_have_seen_each_other_or_with_a_bot_that_was_asked_for_starts_at_once():
    assert ready(DUEL, two_sit(DUEL), A, B).starting
    assert bot(DUEL, ready(DUEL, one_sits(DUEL), A), 1).starting


def test_table_of_more_seats_keeps_those_who_are_ready() -> None:
    waiting = ready(SHOWDOWN, one_sits(SHOWDOWN, seats=2), A)
    assert sit(SHOWDOWN, waiting, 1, 20).state.seats[A].ready


def test_table_points_out_the_newcomer_for_five_seconds_also_when_it_is_full() -> None:
    two = two_sit(SHOWDOWN, seats=2)
    assert two.newcomer == B
    soon = ready(SHOWDOWN, two, A, B, at=SOON)
    assert (soon.starting, soon.start_at) == (False, LATER)
    assert SHOWDOWN.on_deadline(soon, LATER).state.starting
    assert ready(SHOWDOWN, two, A, B, at=LATER).starting
    assert SHOWDOWN.apply(two, B, {"kind": "stand"}, SOON).state.newcomer is None


def test_table_alone_with_bots_begins_at_once_and_waits_without_end() -> None:
    alone = bot(SHOWDOWN, one_sits(SHOWDOWN, seats=2), 1, 20)
    assert alone.stand_up_at is None
    assert ready(SHOWDOWN, alone, A, at=SOON).starting


def test_table_among_people_the_last_one_who_is_not_ready_has_a_minute() -> None:
    two = two_sit(SHOWDOWN, seats=3)
    waiting = ready(SHOWDOWN, two, A)
    assert waiting.unready_until == NOON + NOT_READY_LIMIT
    assert SHOWDOWN.apply(waiting, A, {"kind": "unready"}, NOON).state.unready_until is None


def test_table_is_closed_by_the_house_only_before_a_game() -> None:
    one = one_sits(DUEL)
    closed = DUEL.apply_house(one, {"kind": "close", "reason": "replaced"}, NOON)
    assert (closed.state.stage, kinds(closed)) == ("closed", [("match_closed", "replaced")])
    running = started(DUEL, sit(DUEL, one, 1).state)
    with pytest.raises(errors.NotInPhase):
        DUEL.apply_house(running, {"kind": "close", "reason": "replaced"}, NOON)


# Decision 42 -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owned", "offered"), [(100, 20), (60, 20), (12, 12), (400, 80), (5_000, 100), (0, 1)]
)
def test_purse_on_offer_is_not_all_that_one_owns(owned: int, offered: int) -> None:
    assert offered_purse((1, 100), owned) == offered
    assert offered_purse((5, 5), owned) == 5


def test_purse_is_at_most_what_one_owns_and_what_the_table_takes() -> None:
    assert [largest_purse((1, 100), owned) for owned in (7, 100, 900)] == [7, 100, 100]


def test_purse_can_be_changed_before_the_start_and_asks_for_readiness_anew() -> None:
    state = ready(SHOWDOWN, one_sits(SHOWDOWN), A)
    step = SHOWDOWN.apply(state, A, {"kind": "bring", "purse": 35}, NOON)
    assert (step.state.seats[A].purse, step.state.seats[A].ready) == (35, False)
    assert kinds(step) == [("purse_changed", None)]
    assert not SHOWDOWN.apply(step.state, A, {"kind": "bring", "purse": 35}, NOON).events
    for purse in (0, 101):
        with pytest.raises(errors.BadPurse):
            SHOWDOWN.apply(state, A, {"kind": "bring", "purse": purse}, NOON)
    with pytest.raises(errors.NotSeated):
        SHOWDOWN.apply(state, None, {"kind": "bring", "purse": 35}, NOON)


def test_purse_that_comes_with_readiness_is_brought_or_nobody_is_ready() -> None:
    state = sit(SHOWDOWN, opened(SHOWDOWN), 0, 100).state
    asked = {"kind": "ready", "configuration": 1, "purse": 20}
    step = SHOWDOWN.apply(state, A, asked, NOON)
    assert (step.state.seats[A].purse, step.state.seats[A].ready) == (20, True)
    assert kinds(step) == [("purse_changed", None), ("became_ready", None)]
    assert not SHOWDOWN.apply(step.state, A, asked, NOON).events
    again = SHOWDOWN.apply(step.state, A, {**asked, "purse": 30}, NOON).state
    assert (again.seats[A].purse, again.seats[A].ready) == (30, True)
    with pytest.raises(errors.BadPurse):
        SHOWDOWN.apply(state, A, {**asked, "purse": 101}, NOON)
    with pytest.raises(errors.StaleAction):
        SHOWDOWN.apply(state, A, {**asked, "configuration": 2}, NOON)


def test_purse_is_fixed_where_there_is_only_one() -> None:
    state = sit(DUEL, opened(DUEL, stake=5), 0, 5).state
    assert "bring" not in DUEL.may(state, A)
    assert "bring" in SHOWDOWN.may(one_sits(SHOWDOWN), A)


def finished(purses: tuple[int, int]) -> TableState[Any]:
    """Return a table for two at which somebody gave up at once."""
    state = opened(SHOWDOWN, seats=2, ante=2)
    for seat, purse in enumerate(purses):
        state = sit(SHOWDOWN, state, seat, purse).state
    state = ready(SHOWDOWN, state, A, B, at=LATER)
    state = SHOWDOWN.apply_house(state, {"kind": "start", "seed": SEED}, LATER).state
    over = SHOWDOWN.apply(state, A, {"kind": "leave"}, LATER).state
    assert over.stage == OVER
    return over


def next_game(purses: tuple[int, int], owned: dict[int, int]) -> TableState[Any]:
    over = finished(purses)
    return SHOWDOWN.open_next(over, A, SHOWDOWN.next_options(over), LATER, owned)


def test_rematch_keeps_purses_cut_to_what_their_owners_have() -> None:
    following = next_game((60, 60), {0: 37, 1: 500})
    assert [(s.purse, s.cut, s.ready) for s in following.seats] == [(37, 23, True), (60, 0, False)]


def test_rematch_of_whoever_cannot_pay_the_ante_is_open_but_not_ready() -> None:
    following = next_game((60, 60), {0: 1, 1: 500})
    assert (following.seats[A].purse, following.seats[A].ready) == (2, False)
    again = SHOWDOWN.apply(following, B, {"kind": "bring", "purse": 9}, LATER).state
    assert again.seats[B].purse == 9


# Decision 43 -----------------------------------------------------------------------------


def started(table: Table, state: TableState[Any]) -> TableState[Any]:
    return table.apply_house(state, {"kind": "start", "seed": SEED}, LATER).state


def test_clock_is_three_times_as_long_while_all_others_are_bots() -> None:
    one = sit(SHOWDOWN, opened(SHOWDOWN, seats=2, clock_times=3), 0, 20).state
    alone = started(SHOWDOWN, bot(SHOWDOWN, one, 1, 20))
    assert SHOWDOWN.rules.clock_limit(alone.play) == 60_000
    assert SHOWDOWN.deadline(alone) == LATER + 60_000
    two = started(SHOWDOWN, sit(SHOWDOWN, one, 1, 20).state)
    assert SHOWDOWN.deadline(two) == LATER + 20_000


def test_clock_of_a_duel_with_a_bot_is_longer_but_a_live_one_stays_live() -> None:
    def limit(seconds: int) -> int | None:
        one = sit(DUEL, opened(DUEL, clock_seconds=seconds, clock_times=3), 0).state
        return DUEL.rules.clock_limit(started(DUEL, bot(DUEL, one, 1)).play)

    assert [limit(30), limit(200), limit(86_400)] == [90_000, 300_000, 86_400_000]
