"""Readiness, purses, clocks against bots.  Source: docs/explanation/decisions/tables.md."""

from typing import Any

import pytest

from games.engine import errors
from games.engine.choices import clean_options
from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import replace
from games.engine.table import COUNTDOWN, NOT_READY_LIMIT, OVER, Table, TableState
from games.engine.table.state import largest_purse, offered_purse
from games.showdown.rules.engine import Showdown
from tests.games.engine.test_table import DUEL, NOON, SEED, A, B, after
from tests.refusals import refuses

SHOWDOWN = Table(Showdown())
SOON = Instant(NOON + 1_000)
LATER = Instant(NOON + COUNTDOWN)


def opened(table: Table, **options: Any) -> TableState[Any]:
    return table.open(clean_options(table.rules.Options, options), NOON)


def sit(table: Table, state: TableState[Any], seat: int, purse: int = 0) -> Step[TableState[Any]]:
    purse = purse or (20 if table is SHOWDOWN else 0)
    return table.apply(state, None, {"kind": "sit", "seat": seat, "purse": purse}, NOON)


def sat(table: Table, count: int, **options: Any) -> TableState[Any]:
    state = opened(table, **options)
    for seat in range(count):
        state = sit(table, state, seat).state
    return state


def bot(table: Table, state: TableState[Any], seat: int) -> TableState[Any]:
    purse = 20 if table is SHOWDOWN else 0
    return table.apply_house(state, {"kind": "sit_bot", "seat": seat, "purse": purse}, NOON).state


def ready(table: Table, state: TableState[Any], *seats: SeatNo, at: Instant = NOON):
    acts = ((seat, {"kind": "ready", "configuration": 1}) for seat in seats)
    return after(state, *acts, at=at, table=table)


def kinds(step: Step[Any]) -> list[tuple[str, Any]]:
    return [(told.kind, told.data.get("reason")) for told in step.events]


def test_duel_whoever_is_ready_looks_again_when_somebody_sits_down_or_stands_up() -> None:
    waiting = ready(DUEL, sat(DUEL, 1), A)
    assert waiting.seats[A].ready
    joined = sit(DUEL, waiting, 1)
    assert [seat.ready for seat in joined.state.seats] == [False, False]
    assert kinds(joined) == [("sat", None), ("became_unready", "sat")]
    assert joined.events[1].data["seat"] == A
    left = DUEL.apply(ready(DUEL, joined.state, B), A, {"kind": "stand"}, NOON)
    assert kinds(left) == [("stood", "stood"), ("became_unready", "stood")]
    assert not left.state.seats[B].ready
    # Two who have seen each other, or a bot that was asked for, begin at once.
    assert ready(DUEL, sat(DUEL, 2), A, B).starting
    assert bot(DUEL, waiting, 1).starting
    # A table of more seats keeps those who are ready.
    assert sit(SHOWDOWN, ready(SHOWDOWN, sat(SHOWDOWN, 1, seats=2), A), 1).state.seats[A].ready


def test_duel_accepting_a_challenge_starts_it_after_five_seconds() -> None:
    asked = replace(opened(DUEL), is_challenge=True)
    assert "challenge" not in DUEL.encode_table(opened(DUEL))
    assert DUEL.decode(*DUEL.encode(asked)).is_challenge is True
    joined = sit(DUEL, ready(DUEL, sit(DUEL, asked, 0).state, A), 1)
    assert kinds(joined) == [("sat", None)]
    assert joined.state.seats[A].ready
    accepted = ready(DUEL, joined.state, B, at=SOON)
    assert (accepted.starting, accepted.start_at) == (False, LATER)
    assert DUEL.on_deadline(accepted, LATER).state.starting
    assert DUEL.apply(accepted, A, {"kind": "unready"}, SOON).state.start_at is None


def test_table_points_out_the_newcomer_for_five_seconds_also_when_it_is_full() -> None:
    two = sat(SHOWDOWN, 2, seats=2)
    assert two.newcomer == B
    soon = ready(SHOWDOWN, two, A, B, at=SOON)
    assert (soon.starting, soon.start_at) == (False, LATER)
    assert SHOWDOWN.on_deadline(soon, LATER).state.starting
    assert ready(SHOWDOWN, two, A, B, at=LATER).starting
    assert SHOWDOWN.apply(two, B, {"kind": "stand"}, SOON).state.newcomer is None


def test_table_alone_with_bots_waits_without_end_among_people_the_last_one_has_a_minute() -> None:
    alone = bot(SHOWDOWN, sat(SHOWDOWN, 1, seats=2), 1)
    assert alone.stand_up_at is None
    assert ready(SHOWDOWN, alone, A, at=SOON).starting
    waiting = ready(SHOWDOWN, sat(SHOWDOWN, 2, seats=3), A)
    assert waiting.unready_until == NOON + NOT_READY_LIMIT
    assert SHOWDOWN.apply(waiting, A, {"kind": "unready"}, NOON).state.unready_until is None


def test_table_is_closed_by_the_house_only_before_a_game() -> None:
    close = {"kind": "close", "reason": "replaced"}
    closed = DUEL.apply_house(sat(DUEL, 1), close, NOON)
    assert (closed.state.stage, kinds(closed)) == ("closed", [("match_closed", "replaced")])
    with pytest.raises(errors.NotInPhase):
        DUEL.apply_house(started(DUEL, sat(DUEL, 2)), close, NOON)


@pytest.mark.parametrize(
    ("owned", "offered"), [(100, 20), (60, 20), (12, 12), (400, 80), (5_000, 100), (0, 1)]
)
def test_purse_on_offer_is_not_all_that_one_owns(owned: int, offered: int) -> None:
    assert (offered_purse((1, 100), owned), offered_purse((5, 5), owned)) == (offered, 5)
    assert largest_purse((1, 100), owned) == min(owned, 100)
    assert largest_purse((1, 100), 7) == 7


def test_purse_can_be_changed_before_the_start_with_readiness_or_before_it() -> None:
    state = ready(SHOWDOWN, sat(SHOWDOWN, 1), A)
    bring = {"kind": "bring", "purse": 35}
    step = SHOWDOWN.apply(state, A, bring, NOON)
    assert (step.state.seats[A].purse, step.state.seats[A].ready) == (35, False)
    assert kinds(step) == [("purse_changed", None)]
    assert not SHOWDOWN.apply(step.state, A, bring, NOON).events
    for purse in (0, 101):
        with pytest.raises(errors.BadPurse):
            SHOWDOWN.apply(state, A, {"kind": "bring", "purse": purse}, NOON)
    with refuses("action/not_seated"):
        SHOWDOWN.apply(state, None, bring, NOON)
    assert "bring" in SHOWDOWN.may(sat(SHOWDOWN, 1), A)
    assert "bring" not in DUEL.may(sat(DUEL, 1), A), "it is fixed where there is only one"
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


def next_game(owned: dict[int, int]) -> TableState[Any]:
    """Return the next game of two with purses of 60, of whom one gave up the last one at once."""
    state = opened(SHOWDOWN, seats=2, ante=2)
    for seat in (0, 1):
        state = sit(SHOWDOWN, state, seat, 60).state
    state = started(SHOWDOWN, ready(SHOWDOWN, state, A, B, at=LATER))
    over = SHOWDOWN.apply(state, A, {"kind": "leave"}, LATER).state
    assert over.stage == OVER
    return SHOWDOWN.open_next(over, A, SHOWDOWN.next_options(over), LATER, owned)


def test_rematch_keeps_purses_cut_to_what_their_owners_have() -> None:
    following = next_game({0: 37, 1: 500})
    assert [(s.purse, s.cut, s.ready) for s in following.seats] == [(37, 23, True), (60, 0, False)]
    # A seat that cannot pay the ante is not ready.
    following = next_game({0: 1, 1: 500})
    assert (following.seats[A].purse, following.seats[A].ready) == (2, False)
    again = SHOWDOWN.apply(following, B, {"kind": "bring", "purse": 9}, LATER).state
    assert again.seats[B].purse == 9


def started(table: Table, state: TableState[Any]) -> TableState[Any]:
    return table.apply_house(state, {"kind": "start", "seed": SEED}, LATER).state


def test_clock_is_three_times_as_long_while_all_others_are_bots_but_a_live_one_stays_live() -> None:
    one = sat(SHOWDOWN, 1, seats=2, clock_times=3)
    alone = started(SHOWDOWN, bot(SHOWDOWN, one, 1))
    assert SHOWDOWN.rules.clock_limit(alone.play) == 60_000
    assert SHOWDOWN.deadline(alone) == LATER + 60_000
    assert SHOWDOWN.deadline(started(SHOWDOWN, sit(SHOWDOWN, one, 1).state)) == LATER + 20_000

    def limit(seconds: int) -> int | None:
        one = sat(DUEL, 1, clock_seconds=seconds, clock_times=3)
        return DUEL.rules.clock_limit(started(DUEL, bot(DUEL, one, 1)).play)

    assert [limit(30), limit(200), limit(86_400)] == [90_000, 300_000, 86_400_000]
