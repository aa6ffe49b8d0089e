"""The table around the game: seats, readiness, countdowns, closing.  No database."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.duel.rules.engine import Duel
from games.engine import errors
from games.engine.choices import clean_options
from games.engine.facts import Instant, SeatNo, Step
from games.engine.structs import replace
from games.engine.table import (
    CLOSED,
    COUNTDOWN,
    NOT_READY_LIMIT,
    OPEN,
    OVER,
    QUIET_LIMIT,
    VOID,
    Table,
    TableState,
)
from games.engine.table.state import EMPTY_LIMIT
from tests.games.engine.small_game import SmallGame

TABLE = Table(SmallGame())
NOON = Instant(1_795_262_400_000)
SEED = "ab" * 32
A, B, C = SeatNo(0), SeatNo(1), SeatNo(2)


def opened(**options: Any) -> TableState:
    """Return an empty table."""
    return TABLE.open(clean_options(TABLE.rules.Options, options), NOON)


def after(
    state: TableState, *acts: tuple[SeatNo | None, dict[str, Any]], at: int = NOON
) -> TableState:
    """Return the table after these actions."""
    for seat, action in acts:
        state = TABLE.apply(state, seat, action, Instant(at)).state
    return state


def sat(*seats: int, purse: int = 50, **options: Any) -> TableState:
    """Return a table with people on these seats."""
    acts = [(None, {"kind": "sit", "seat": seat, "purse": purse}) for seat in seats]
    return after(opened(**options), *acts)


def ready(seat: SeatNo, configuration: int = 1) -> tuple[SeatNo, dict[str, Any]]:
    """Return the action of getting ready."""
    return seat, {"kind": "ready", "configuration": configuration}


def started(state: TableState) -> Step[TableState]:
    """Start the game by the house's action."""
    return TABLE.apply_house(state, {"kind": "start", "seed": SEED}, NOON)


def running(seats: int = 2) -> TableState:
    """Return a full table at which the game runs."""
    everybody = [SeatNo(no) for no in range(seats)]
    return started(after(sat(*everybody, seats=seats), *map(ready, everybody))).state


def test_table_full_and_ready_starts_five_seconds_after_the_last_one_sat_down() -> None:
    state = after(sat(0, 1, seats=2), ready(A), ready(B), at=NOON + 1)
    assert not state.starting
    assert state.start_at == NOON + COUNTDOWN
    later = after(sat(0, 1, seats=2), ready(A), ready(B), at=NOON + COUNTDOWN)
    assert later.starting
    assert later.start_at is None


def test_table_not_full_counts_down_five_seconds() -> None:
    state = after(sat(0, 1, seats=3), ready(A), ready(B))
    assert not state.starting
    assert state.start_at == NOON + COUNTDOWN
    assert TABLE.deadline(state) == state.start_at
    assert TABLE.on_deadline(state, Instant(NOON + COUNTDOWN)).state.starting


@pytest.mark.parametrize(
    "act",
    [
        (None, {"kind": "sit", "seat": 2, "purse": 50}),
        (A, {"kind": "stand"}),
        (B, {"kind": "unready"}),
    ],
)
def test_table_change_stops_the_countdown(act: tuple[SeatNo | None, dict[str, Any]]) -> None:
    counting = after(sat(0, 1, seats=4), ready(A), ready(B))
    step = TABLE.apply(counting, act[0], act[1], NOON)
    assert step.state.start_at is None
    assert "start_cancelled" in [event.kind for event in step.events]


def test_table_one_player_does_not_start() -> None:
    state = after(sat(0, seats=2), ready(A))
    assert not state.starting
    assert state.start_at is None


def test_table_ready_for_old_options_is_stale() -> None:
    state = after(sat(0, 1), (A, {"kind": "configure", "target": 7}))
    with pytest.raises(errors.StaleAction) as refusal:
        TABLE.apply(state, B, {"kind": "ready", "configuration": 1}, NOON)
    assert refusal.value.code == "stale"
    assert after(state, ready(B, 2)).seats[1].ready


def test_table_configure_makes_everybody_unready_and_fits_purses() -> None:
    state = after(sat(0, 1, purse=80), ready(A), (B, {"kind": "configure", "largest_purse": 60}))
    assert [seat.ready for seat in state.taken] == [False, False]
    assert [seat.purse for seat in state.taken] == [60, 60]
    assert state.options_revision == 2


@pytest.mark.parametrize(
    "option", [{"tax_bp": 0}, {"previous_winner": 1}, {"kind_of": 1}, {"$": 1}]
)
def test_table_configure_leaves_the_sites_numbers_alone(option: dict[str, Any]) -> None:
    state = sat(0, 1)
    with pytest.raises(errors.BadField):
        TABLE.apply(state, A, {"kind": "configure", **option}, NOON)


def test_table_who_names_no_seat_takes_the_first_free_one() -> None:
    """Several who sit down at once find a seat each, until there is none."""
    somewhere = {"kind": "sit", "purse": 50}
    state = sat(0, 2, seats=4)
    for expected in (1, 3):
        step = TABLE.apply(state, None, somewhere, NOON)
        state = step.state
        assert [e.data["seat"] for e in step.events if e.kind == "sat"] == [expected]
    with pytest.raises(errors.TableFull):
        TABLE.apply(state, None, somewhere, NOON)
    with pytest.raises(errors.AlreadySeated):
        TABLE.apply(state, A, somewhere, NOON)


def test_table_configure_keeps_seats_that_are_taken() -> None:
    with pytest.raises(errors.TableFull):
        after(sat(0, 3, seats=4), (A, {"kind": "configure", "seats": 3}))


@pytest.mark.parametrize(
    ("action", "error"),
    [
        ({"kind": "sit", "seat": 0, "purse": 50}, errors.SeatTaken),
        ({"kind": "sit", "seat": 9, "purse": 50}, errors.BadField),
        ({"kind": "sit", "seat": -1, "purse": 50}, errors.BadField),
        ({"kind": "sit", "seat": 2, "purse": 0}, errors.BadPurse),
        ({"kind": "sit", "seat": 2, "purse": 101}, errors.BadPurse),
        ({"kind": "sit", "seat": 2}, errors.BadField),
        ({"kind": "bonus", "seats": [[0, 9]]}, errors.BadField),
        ({"kind": "pass"}, errors.NotSeated),
        ({"kind": "stand"}, errors.NotSeated),
        ({"kind": "rematch"}, errors.NotInPhase),
    ],
)
def test_table_refuses_and_changes_nothing(
    action: dict[str, Any], error: type[errors.IllegalAction]
) -> None:
    state = sat(0, 1)
    before = TABLE.encode(state)
    with pytest.raises(error):
        TABLE.apply(state, None, action, NOON)
    assert TABLE.encode(state) == before


def test_table_the_last_unready_one_is_stood_up_after_a_minute() -> None:
    state = after(sat(0, 1, 2, seats=3), ready(A), ready(B))
    assert state.stand_up_at == NOON + NOT_READY_LIMIT
    step = TABLE.on_deadline(state, Instant(NOON + NOT_READY_LIMIT))
    assert [seat.no for seat in step.state.taken] == [A, B]
    assert step.state.start_at is not None


def test_table_quiet_for_fifteen_minutes_closes() -> None:
    state = opened()
    assert TABLE.deadline(state) == NOON + QUIET_LIMIT
    step = TABLE.on_deadline(state, Instant(NOON + QUIET_LIMIT))
    assert step.state.stage == CLOSED
    assert TABLE.deadline(step.state) is None


def test_table_sitting_puts_the_closing_off() -> None:
    later = after(opened(), (None, {"kind": "sit", "seat": 0, "purse": 9}), at=NOON + 60_000)
    assert later.close_at == NOON + 60_000 + QUIET_LIMIT


def test_table_that_its_last_person_has_left_closes_after_a_minute() -> None:
    one_left = after(sat(0, 1), (B, {"kind": "stand"}))
    assert one_left.close_at == NOON + QUIET_LIMIT
    empty = after(one_left, (A, {"kind": "stand"}))
    assert TABLE.deadline(empty) == NOON + EMPTY_LIMIT
    assert TABLE.on_deadline(empty, Instant(NOON + EMPTY_LIMIT)).state.stage == CLOSED
    taken = after(empty, (None, {"kind": "sit", "seat": 0, "purse": 9}))
    assert taken.close_at == NOON + QUIET_LIMIT


def test_table_bots_do_not_stay_alone() -> None:
    state = TABLE.apply_house(sat(0), {"kind": "sit_bot", "seat": 1, "purse": 50}, NOON).state
    step = TABLE.apply(state, A, {"kind": "stand"}, NOON)
    assert step.state.taken == ()
    assert [event.data["reason"] for event in step.events] == ["stood", "alone"]


def test_table_a_bot_that_comes_after_the_start_gets_no_seat() -> None:
    state = started(after(sat(0, 1, seats=3), ready(A), ready(B))).state
    with pytest.raises(errors.NotInPhase):
        TABLE.apply_house(state, {"kind": "sit_bot", "seat": 2, "purse": 50}, NOON)


def test_table_short_purse_makes_unready() -> None:
    state = after(sat(0, 1, seats=2), ready(A), ready(B))
    step = TABLE.apply_house(state, {"kind": "short", "seats": [[1, 20]]}, NOON)
    assert [seat.ready for seat in step.state.taken] == [True, False]
    assert not step.state.starting
    assert step.events[0].data == {"seat": 1, "missing": 20}


def test_table_next_game_keeps_seats_and_readies_the_caller() -> None:
    over = TABLE.apply(running(), A, {"kind": "leave"}, NOON).state
    following = TABLE.open_next(over, B, TABLE.next_options(over), NOON)
    assert [(s.no, s.ready) for s in following.taken] == [(A, False), (B, True)]
    kept = TABLE.on_deadline(following, Instant(NOON + NOT_READY_LIMIT)).state
    assert [seat.no for seat in kept.taken] == [B]


def test_table_stalled_clock_gives_time_back() -> None:
    state = running()
    due_at = TABLE.deadline(state)
    assert due_at is not None
    later = Instant(due_at + 30_000)
    step = TABLE.apply_house(state, {"kind": "stall", "due_at": later}, NOON)
    assert TABLE.deadline(step.state) == later
    sooner = TABLE.apply_house(state, {"kind": "stall", "due_at": NOON}, NOON)
    assert TABLE.deadline(sooner.state) == due_at


def test_table_void_gives_everything_back() -> None:
    state = running()
    step = TABLE.apply_house(state, {"kind": "void", "reason": "a broken chair"}, NOON)
    assert step.state.stage == VOID
    back = sum(e.data["amount"] for e in step.events if e.kind == "stake_refunded")
    assert back == 100
    with pytest.raises(errors.NotInPhase):
        TABLE.apply_house(step.state, {"kind": "void", "reason": "again"}, NOON)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, A, B, C]),
            st.sampled_from(
                [
                    {"kind": "sit", "seat": 0, "purse": 10},
                    {"kind": "sit", "seat": 1, "purse": 20},
                    {"kind": "sit", "seat": 2, "purse": 30},
                    {"kind": "stand"},
                    {"kind": "ready", "configuration": 1},
                    {"kind": "ready", "configuration": 2},
                    {"kind": "unready"},
                    {"kind": "configure", "ante": 2},
                    {"kind": "remove_bot", "seat": 2},
                ]
            ),
        ),
        max_size=25,
    )
)
def test_table_any_sequence_keeps_its_invariants(
    acts: list[tuple[SeatNo | None, dict[str, Any]]],
) -> None:
    """After any actions a table can be stored, has a clock, and starts only when all are ready."""
    state = opened(seats=3)
    for seat, action in acts:
        if seat is not None and not state.seats[seat].taken:
            continue
        try:
            state = TABLE.apply(state, seat, action, NOON).state
        except errors.IllegalAction:
            continue
        assert TABLE.decode(*TABLE.encode(state)) == state
        assert TABLE.deadline(state) is not None
        if state.starting or state.start_at is not None:
            assert len(state.taken) >= 2
            assert all(seat.ready for seat in state.taken)
        if state.starting:
            state = replace(state, starting=False)
    assert state.stage == OPEN


def test_table_configure_that_changes_nothing_changes_nothing() -> None:
    state = after(sat(0, 1, seats=3), ready(A), ready(B))
    for same in ({}, {"ante": 1}, {"target": 5, "seats": 3}):
        step = TABLE.apply(state, B, {"kind": "configure", **same}, NOON)
        assert step == Step(state)
    with pytest.raises(errors.BadOption):
        TABLE.apply(state, B, {"kind": "configure", "target": 99}, NOON)
    with pytest.raises(errors.NotSeated):
        TABLE.apply(state, None, {"kind": "configure"}, NOON)


DUEL = Table(Duel())


def duel_table(**options: Any) -> TableState:
    """Return a table at which two sit down to a duel without naming a purse."""
    state = DUEL.open(clean_options(DUEL.rules.Options, options), NOON)
    for seat in (0, 1):
        state = DUEL.apply(state, None, {"kind": "sit", "seat": seat}, NOON).state
    return state


def running_duel(**options: Any) -> TableState:
    """Return a table at which a duel has begun."""
    state = duel_table(**options)
    for seat in (A, B):
        state = DUEL.apply(state, *ready(seat), NOON).state
    assert state.starting
    return DUEL.apply_house(state, {"kind": "start", "seed": SEED}, NOON).state


@pytest.mark.parametrize("stake", [0, 40])
def test_table_a_purse_need_not_be_named_where_there_is_only_one(stake: int) -> None:
    state = duel_table(stake=stake)
    assert [seat.purse for seat in state.taken] == [stake, stake]
    empty = DUEL.open(state.options, NOON)
    named = {"kind": "sit", "seat": 0, "purse": stake}
    assert DUEL.apply(empty, None, named, NOON).state.taken[0].purse == stake
    with pytest.raises(errors.BadPurse):
        DUEL.apply(empty, None, {**named, "purse": stake + 1}, NOON)
    with pytest.raises(errors.BadField):
        DUEL.apply(empty, None, {**named, "purse": None}, NOON)


def test_table_purses_follow_the_stake() -> None:
    state = duel_table(stake=10)
    state = DUEL.apply(state, A, {"kind": "configure", "stake": 30}, NOON).state
    assert [(seat.purse, seat.ready) for seat in state.taken] == [(30, False), (30, False)]
    state = DUEL.apply(state, B, {"kind": "configure", "stake": 0}, NOON).state
    assert [seat.purse for seat in state.taken] == [0, 0]
    with pytest.raises(errors.BadOption):
        DUEL.apply(state, B, {"kind": "configure", "stake": 101}, NOON)


def test_table_a_duel_is_played_and_suspended_at_it() -> None:
    state = running_duel(stake=5)
    for seat, kind in ((A, "suspend"), (B, "suspend"), (A, "resume"), (B, "resume")):
        state = DUEL.apply(state, seat, {"kind": kind}, NOON).state
    for seat, hand in ((A, "rock"), (B, "paper")):
        state = DUEL.apply(state, seat, {"kind": "throw", "hand": hand}, NOON).state
    assert state.stage == OVER
    following = DUEL.open_next(state, B, DUEL.next_options(state), Instant(0))
    assert [(s.no, s.purse, s.ready) for s in following.taken] == [(A, 5, False), (B, 5, True)]


def test_table_leave_in_a_duel_resigns_it() -> None:
    over = DUEL.apply(running_duel(), A, {"kind": "leave"}, NOON)
    assert over.state.stage == OVER
    assert over.events[0].data == {"winners": [1], "reason": "resigned"}


def test_table_is_slow_while_its_clock_is_longer_than_five_minutes() -> None:
    assert not DUEL.is_slow(duel_table(clock_seconds=86_400))
    assert not DUEL.is_slow(running_duel(clock_seconds=300))
    assert DUEL.is_slow(running_duel(clock_seconds=301))
    live = running_duel()
    assert not DUEL.is_slow(live)
    suspended = live
    for seat in (A, B):
        suspended = DUEL.apply(suspended, seat, {"kind": "suspend"}, NOON).state
    assert DUEL.is_slow(suspended)
    over = DUEL.apply(suspended, A, {"kind": "leave"}, NOON).state
    assert not DUEL.is_slow(over)
    assert not TABLE.is_slow(running())


def test_table_an_action_with_a_seat_is_not_the_houses() -> None:
    resume = {"kind": "resume"}
    assert DUEL.is_house_action(resume, None)
    assert not DUEL.is_house_action(resume, A)
    assert DUEL.is_house_action({"kind": "deadline"}, None)
    assert not DUEL.is_house_action({"kind": "sit", "seat": 0}, None)
    stood = DUEL.apply_house(running_duel(), {"kind": "stall", "due_at": NOON + 99_000}, NOON)
    assert [e.kind for e in stood.events] == ["clock_stalled", "clock_postponed"]
    going_on = DUEL.apply_house(stood.state, {"kind": "resume", "due_at": NOON}, NOON)
    assert going_on.events[0].kind == "clock_resumed"
