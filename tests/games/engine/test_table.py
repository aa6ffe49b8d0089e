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
from tests.refusals import refuses

TABLE = Table(SmallGame())
NOON = Instant(1_795_262_400_000)
SEED = "ab" * 32
A, B, C = SeatNo(0), SeatNo(1), SeatNo(2)


def opened(**options: Any) -> TableState:
    return TABLE.open(clean_options(TABLE.rules.Options, options), NOON)


def after(
    state: TableState,
    *acts: tuple[SeatNo | None, dict[str, Any]],
    at: int = NOON,
    table: Table = TABLE,
) -> TableState:
    for seat, action in acts:
        state = table.apply(state, seat, action, Instant(at)).state
    return state


def sat(*seats: int, purse: int = 50, **options: Any) -> TableState:
    acts = [(None, {"kind": "sit", "seat": seat, "purse": purse}) for seat in seats]
    return after(opened(**options), *acts)


def ready(seat: SeatNo, configuration: int = 1) -> tuple[SeatNo, dict[str, Any]]:
    return seat, {"kind": "ready", "configuration": configuration}


def started(state: TableState) -> Step[TableState]:
    return TABLE.apply_house(state, {"kind": "start", "seed": SEED}, NOON)


def running(seats: int = 2) -> TableState:
    everybody = [SeatNo(no) for no in range(seats)]
    return started(after(sat(*everybody, seats=seats), *map(ready, everybody))).state


def test_table_full_and_ready_starts_five_seconds_after_the_last_one_sat_down() -> None:
    state = after(sat(0, 1, seats=2), ready(A), ready(B), at=NOON + 1)
    assert (state.starting, state.start_at) == (False, NOON + COUNTDOWN)
    later = after(sat(0, 1, seats=2), ready(A), ready(B), at=NOON + COUNTDOWN)
    assert (later.starting, later.start_at) == (True, None)
    not_full = after(sat(0, 1, seats=3), ready(A), ready(B))
    assert (not_full.starting, not_full.start_at) == (False, NOON + COUNTDOWN)
    assert TABLE.deadline(not_full) == not_full.start_at
    assert TABLE.on_deadline(not_full, Instant(NOON + COUNTDOWN)).state.starting
    alone = after(sat(0, seats=2), ready(A))
    assert (alone.starting, alone.start_at) == (False, None)


@pytest.mark.parametrize(
    ("seat", "action"),
    [(None, {"kind": "sit", "seat": 2, "purse": 50}), (A, {"kind": "stand"}),
     (B, {"kind": "unready"})],
)  # fmt: skip
def test_table_change_stops_the_countdown(seat: SeatNo | None, action: dict[str, Any]) -> None:
    counting = after(sat(0, 1, seats=4), ready(A), ready(B))
    step = TABLE.apply(counting, seat, action, NOON)
    assert step.state.start_at is None
    assert "start_cancelled" in [event.kind for event in step.events]


def test_table_ready_for_old_options_is_stale() -> None:
    state = after(sat(0, 1), (A, {"kind": "configure", "target": 7}))
    with pytest.raises(errors.StaleAction) as refusal:
        TABLE.apply(state, B, {"kind": "ready", "configuration": 1}, NOON)
    assert refusal.value.code == "stale"
    assert after(state, ready(B, 2)).seats[1].ready


def test_table_configure_makes_everybody_unready_and_fits_purses() -> None:
    state = after(sat(0, 1, purse=80), ready(A), (B, {"kind": "configure", "largest_purse": 60}))
    assert [(seat.ready, seat.purse) for seat in state.taken] == [(False, 60)] * 2
    assert state.options_revision == 2
    with pytest.raises(errors.TableFull):
        after(sat(0, 3, seats=4), (A, {"kind": "configure", "seats": 3}))
    state = after(sat(0, 1, seats=3), ready(A), ready(B))
    for same in ({}, {"ante": 1}, {"target": 5, "seats": 3}):
        assert TABLE.apply(state, B, {"kind": "configure", **same}, NOON) == Step(state)
    with refuses("action/bad_option"):
        TABLE.apply(state, B, {"kind": "configure", "target": 99}, NOON)
    with refuses("action/not_seated"):
        TABLE.apply(state, None, {"kind": "configure"}, NOON)


@pytest.mark.parametrize("option", ["tax_bp", "previous_winner", "kind_of", "$"])
def test_table_configure_leaves_the_sites_numbers_alone(option: str) -> None:
    with pytest.raises(errors.BadField):
        TABLE.apply(sat(0, 1), A, {"kind": "configure", option: 1}, NOON)


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


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"kind": "sit", "seat": 0, "purse": 50}, "action/seat_taken"),
        *(({"kind": "sit", "seat": seat, "purse": 50}, "bad_field") for seat in (9, -1)),
        *(({"kind": "sit", "seat": 2, "purse": purse}, "action/bad_purse") for purse in (0, 101)),
        ({"kind": "sit", "seat": 2}, "bad_field"),
        ({"kind": "bonus", "seats": [[0, 9]]}, "bad_field"),
        *(({"kind": "pass"}, "action/not_seated"), ({"kind": "stand"}, "action/not_seated")),
        ({"kind": "rematch"}, "action/not_in_phase"),
    ],
)
def test_table_refuses_and_changes_nothing(action: dict[str, Any], code: str) -> None:
    state = sat(0, 1)
    before = TABLE.encode(state)
    with refuses(code):
        TABLE.apply(state, None, action, NOON)
    assert TABLE.encode(state) == before


def test_table_the_last_unready_one_is_stood_up_after_a_minute_in_the_next_game_too() -> None:
    minute = Instant(NOON + NOT_READY_LIMIT)
    state = after(sat(0, 1, 2, seats=3), ready(A), ready(B))
    assert state.stand_up_at == minute
    step = TABLE.on_deadline(state, minute)
    assert [seat.no for seat in step.state.taken] == [A, B]
    assert step.state.start_at is not None
    over = TABLE.apply(running(), A, {"kind": "leave"}, NOON).state
    following = TABLE.open_next(over, B, TABLE.next_options(over), NOON)
    assert [(s.no, s.ready) for s in following.taken] == [(A, False), (B, True)]
    assert [seat.no for seat in TABLE.on_deadline(following, minute).state.taken] == [B]


def test_table_quiet_for_fifteen_minutes_or_left_by_all_for_one_closes() -> None:
    state = opened()
    assert TABLE.deadline(state) == NOON + QUIET_LIMIT
    closed = TABLE.on_deadline(state, Instant(NOON + QUIET_LIMIT)).state
    assert (closed.stage, TABLE.deadline(closed)) == (CLOSED, None)
    sit = (None, {"kind": "sit", "seat": 0, "purse": 9})
    assert after(state, sit, at=NOON + 60_000).close_at == NOON + 60_000 + QUIET_LIMIT
    one_left = after(sat(0, 1), (B, {"kind": "stand"}))
    assert one_left.close_at == NOON + QUIET_LIMIT
    empty = after(one_left, (A, {"kind": "stand"}))
    assert TABLE.deadline(empty) == NOON + EMPTY_LIMIT
    assert TABLE.on_deadline(empty, Instant(NOON + EMPTY_LIMIT)).state.stage == CLOSED
    assert after(empty, sit).close_at == NOON + QUIET_LIMIT


def test_table_bots_do_not_stay_alone_and_get_no_seat_after_the_start() -> None:
    state = TABLE.apply_house(sat(0), {"kind": "sit_bot", "seat": 1, "purse": 50}, NOON).state
    step = TABLE.apply(state, A, {"kind": "stand"}, NOON)
    assert step.state.taken == ()
    assert [event.data["reason"] for event in step.events] == ["stood", "alone"]
    state = started(after(sat(0, 1, seats=3), ready(A), ready(B))).state
    with pytest.raises(errors.NotInPhase):
        TABLE.apply_house(state, {"kind": "sit_bot", "seat": 2, "purse": 50}, NOON)


def test_table_short_purse_makes_unready() -> None:
    state = after(sat(0, 1, seats=2), ready(A), ready(B))
    step = TABLE.apply_house(state, {"kind": "short", "seats": [[1, 20]]}, NOON)
    assert [seat.ready for seat in step.state.taken] == [True, False]
    assert not step.state.starting
    assert step.events[0].data == {"seat": 1, "missing": 20}


def test_table_stalled_clock_gives_time_back_and_a_void_everything_once() -> None:
    state, void = running(), {"kind": "void", "reason": "a broken chair"}
    due_at = TABLE.deadline(state)
    for at, expected in ((due_at + 30_000, due_at + 30_000), (NOON, due_at)):
        step = TABLE.apply_house(state, {"kind": "stall", "due_at": at}, NOON)
        assert TABLE.deadline(step.state) == expected
    step = TABLE.apply_house(state, void, NOON)
    assert step.state.stage == VOID
    assert sum(e.data["amount"] for e in step.events if e.kind == "stake_refunded") == 100
    with pytest.raises(errors.NotInPhase):
        TABLE.apply_house(step.state, void, NOON)


ACTS: list[dict[str, Any]] = [
    *({"kind": "sit", "seat": seat, "purse": 10 * (seat + 1)} for seat in range(3)),
    *({"kind": "ready", "configuration": revision} for revision in (1, 2)),
    *({"kind": "stand"}, {"kind": "unready"}, {"kind": "configure", "ante": 2}),
    {"kind": "remove_bot", "seat": 2},
]


@given(st.lists(st.tuples(st.sampled_from([None, A, B, C]), st.sampled_from(ACTS)), max_size=25))
def test_table_any_sequence_keeps_its_invariants(acts: list[tuple[Any, dict[str, Any]]]) -> None:
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
        state = replace(state, starting=False)
    assert state.stage == OPEN


DUEL = Table(Duel())


def duel_table(*acts: tuple[SeatNo | None, dict[str, Any]], **options: Any) -> TableState:
    """Return a table at which two sit down to a duel without naming a purse, after these acts."""
    state = DUEL.open(clean_options(DUEL.rules.Options, options), NOON)
    sits = [(None, {"kind": "sit", "seat": seat}) for seat in (0, 1)]
    return after(state, *sits, *acts, table=DUEL)


def running_duel(*acts: tuple[SeatNo, dict[str, Any]], **options: Any) -> TableState:
    state = duel_table(ready(A), ready(B), **options)
    assert state.starting
    state = DUEL.apply_house(state, {"kind": "start", "seed": SEED}, NOON).state
    return after(state, *acts, table=DUEL)


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
    state = duel_table((A, {"kind": "configure", "stake": 30}), stake=10)
    assert [(seat.purse, seat.ready) for seat in state.taken] == [(30, False), (30, False)]
    state = after(state, (B, {"kind": "configure", "stake": 0}), table=DUEL)
    assert [seat.purse for seat in state.taken] == [0, 0]
    with refuses("action/bad_option"):
        DUEL.apply(state, B, {"kind": "configure", "stake": 101}, NOON)


def test_table_a_duel_is_played_suspended_and_resigned_at_it() -> None:
    both = [(seat, {"kind": kind}) for kind in ("suspend", "resume") for seat in (A, B)]
    hands = [(A, {"kind": "throw", "hand": "rock"}), (B, {"kind": "throw", "hand": "paper"})]
    state = running_duel(*both, *hands, stake=5)
    assert state.stage == OVER
    following = DUEL.open_next(state, B, DUEL.next_options(state), Instant(0))
    assert [(s.no, s.purse, s.ready) for s in following.taken] == [(A, 5, False), (B, 5, True)]
    over = DUEL.apply(running_duel(), A, {"kind": "leave"}, NOON)
    assert over.state.stage == OVER
    assert over.events[0].data == {"winners": [1], "reason": "resigned"}


def test_table_is_slow_while_its_clock_is_longer_than_five_minutes() -> None:
    suspended = running_duel(*((seat, {"kind": "suspend"}) for seat in (A, B)))
    tables = [duel_table(clock_seconds=86_400), running_duel(), suspended]
    tables += [running_duel(clock_seconds=seconds) for seconds in (300, 301)]
    assert [DUEL.is_slow(state) for state in tables] == [False, False, True, False, True]
    assert not DUEL.is_slow(after(suspended, (A, {"kind": "leave"}), table=DUEL))
    assert not TABLE.is_slow(running())


def test_table_an_action_with_a_seat_is_not_the_houses() -> None:
    asked = [("resume", None), ("resume", A), ("deadline", None), ("sit", None)]
    found = [DUEL.is_house_action({"kind": kind, "seat": 0}, seat) for kind, seat in asked]
    assert found == [True, False, True, False]
    stood = DUEL.apply_house(running_duel(), {"kind": "stall", "due_at": NOON + 99_000}, NOON)
    assert [e.kind for e in stood.events] == ["clock_stalled", "clock_postponed"]
    going_on = DUEL.apply_house(stood.state, {"kind": "resume", "due_at": NOON}, NOON)
    assert going_on.events[0].kind == "clock_resumed"


def test_table_at_which_all_were_seated_begins_when_the_house_says_so_and_all_are_ready() -> None:
    seated = TABLE.open_seated(TABLE.rules.Options(), NOON, {})
    assert all(seat.taken and seat.ready and not seat.bot for seat in seated.seats)
    assert not seated.starting
    begin = {"kind": "begin"}
    assert TABLE.apply_house(seated, begin, NOON).state.starting
    with pytest.raises(errors.BadField):
        TABLE.apply(seated, A, begin, NOON)
    for missing in ("ready", "taken"):
        first = replace(seated.seats[0], **{missing: False})
        with pytest.raises(errors.NotInPhase):
            TABLE.apply_house(replace(seated, seats=(first, *seated.seats[1:])), begin, NOON)
