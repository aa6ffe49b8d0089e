"""The players' part of the chance: hashes with readiness, salts in the countdown.  No database."""

from typing import Any

import pytest

from games.engine import errors
from games.engine.draws import hash_of_salt, salted
from games.engine.facts import Instant
from games.engine.structs import canonical, plain, replace
from games.engine.table import COUNTDOWN, Table, TableState
from games.engine.table.state import REVEAL_LIMIT
from tests.games.engine.small_game import SmallGame
from tests.games.engine.test_table import NOON, SEED, A, B, C, after, opened, ready
from tests.games.engine.test_table import sat as unlogged
from tests.refusals import refuses

TABLE = Table(SmallGame())
SALTS = {seat: f"{seat:02x}" * 32 for seat in (A, B, C)}


#: A minute after sitting down: no newcomer is pointed out any more.
LATE = Instant(NOON + 60_000)


def sat(*seats: int, **options: Any) -> TableState:
    """Return a table with people on these seats, whose opening is in the public log."""
    return replace(unlogged(*seats, **options), is_logged=True)


def house(state: TableState, kind: str, at: int, **more: Any) -> Any:
    return TABLE.apply_house(state, {"kind": kind, **more}, Instant(at))


def full(state: TableState | None = None) -> TableState:
    """Return a full table of two that have both given a hash a minute after sitting down."""
    return after(state or sat(0, 1, seats=2), promise(A), promise(B), at=LATE)


def kinds(step: Any) -> list[str]:
    return [told.kind for told in step.events]


def promise(seat: Any, salt: str | None = None) -> tuple[Any, dict[str, Any]]:
    hashed = hash_of_salt(salt or SALTS[seat])
    return seat, {"kind": "ready", "configuration": 1, "salt_hash": hashed}


def reveal(seat: Any, salt: str | None = None) -> tuple[Any, dict[str, Any]]:
    return seat, {"kind": "reveal", "salt": salt or SALTS[seat]}


def test_salts_the_game_starts_as_soon_as_the_last_salt_is_there_after_the_countdown() -> None:
    state = full()
    assert (state.start_at, state.starting) == (LATE + REVEAL_LIMIT, False)
    assert "reveal" in TABLE.may(state, A)
    state = after(state, reveal(A), at=LATE + 100)
    assert not state.starting
    assert "reveal" not in TABLE.may(state, A)
    state = after(state, reveal(B), at=LATE + 200)
    assert state.starting
    begun = house(state, "start", LATE + 200, seed=SEED)
    assert begun.events[0].data == {"salts": [[A, SALTS[A]], [B, SALTS[B]]]}
    assert begun.state.play.seed == salted(SEED, [(A, SALTS[A]), (B, SALTS[B])])
    state = after(sat(0, 1, seats=4), promise(A), promise(B))
    assert state.start_at == NOON + REVEAL_LIMIT
    step = TABLE.apply(after(state, reveal(A)), *reveal(B), Instant(NOON + 10))
    assert (step.state.start_at, kinds(step)) == (NOON + COUNTDOWN, ["start_scheduled"])
    assert TABLE.on_deadline(step.state, Instant(NOON + COUNTDOWN)).state.starting


def test_salts_are_no_duty_and_a_seat_that_is_ready_without_one_may_add_a_hash() -> None:
    state = after(sat(0, 1, seats=2), ready(A))
    mixed = after(state, promise(B), reveal(B), at=LATE)
    assert (mixed.starting, mixed.salts) == (True, ((B, SALTS[B]),))
    begun = house(after(state, ready(B), at=LATE), "start", LATE, seed=SEED)
    assert begun.state.play.seed == SEED
    assert "salts_frozen" not in kinds(begun)
    state = after(sat(0, 1, seats=2), ready(A), promise(A), promise(B), reveal(B), at=LATE)
    assert not state.starting
    late = after(sat(0, 1, seats=4), ready(A), promise(B), reveal(B))
    # The salt of B is known by now.
    assert after(late, promise(A)) == late


def test_salts_missing_makes_unready_is_listed_and_spends_the_salts_of_the_others() -> None:
    state = after(full(), reveal(A), at=LATE + 100)
    step = TABLE.on_deadline(state, state.start_at)
    told = {told.kind: told.data for told in step.events}
    assert (told["salt_missing"], told["salts_dropped"]) == ({"seat": B}, {"seats": [A]})
    assert [seat.ready for seat in step.state.seats] == [True, False]
    assert step.state.salts == ()
    assert all("ready" in TABLE.may(step.state, seat) for seat in (A, B))
    # Nobody may reveal before all new hashes are there.
    at, other = NOON + 100_000, "cc" * 32
    again = after(step.state, promise(B), at=at)
    assert "reveal" not in TABLE.may(again, B)
    with pytest.raises(errors.NotInPhase):
        after(again, reveal(B), at=at)
    done = after(again, promise(A, other), reveal(B), reveal(A, other), at=at)
    assert (done.salts, done.starting) == (((A, other), (B, SALTS[B])), True)
    # A seat that gives no new hash is the one that is late, not those who may not reveal yet.
    waiting = TABLE.on_deadline(again, again.start_at).state
    assert [seat.ready for seat in waiting.seats] == [False, True]


@pytest.mark.parametrize(
    ("seat", "action"),
    [
        *((A, {"kind": "unready"}), (A, {"kind": "stand"}), (A, {"kind": "bring", "purse": 60})),
        *((None, {"kind": "sit", "seat": 2, "purse": 50}), (A, {"kind": "configure", "target": 7})),
    ],
)
def test_salts_that_are_known_are_dropped_with_the_countdown(seat, action) -> None:
    state = after(sat(0, 1, seats=4), promise(A), promise(B), reveal(A))
    step = TABLE.apply(state, seat, action, NOON)
    assert "salts_dropped" in kinds(step)
    assert step.state.salts == ()
    assert all(not seat.salt_hash for seat in step.state.seats if not seat.ready)


def test_salts_a_newcomer_with_a_hash_makes_all_others_give_new_ones() -> None:
    state = after(sat(0, 1, 2, seats=4), promise(A), promise(B))
    state = after(state, promise(C))
    assert all(seat.salt_hash for seat in state.taken)
    state = after(state, reveal(A), (B, {"kind": "unready"}), promise(B))
    assert [seat.salt_hash == "" for seat in state.taken] == [True, False, False]


def test_salts_wrong_ones_and_ones_out_of_turn_are_refused_and_none_is_in_a_text() -> None:
    state = full()
    for table, act, code in (
        (state, reveal(A, SALTS[B]), "bad_field"),
        (state, reveal(A, "00"), "bad_field"),
        (after(sat(0, 1, seats=2), promise(A)), reveal(A), "action/not_in_phase"),
        (state, reveal(None, SALTS[A]), "action/not_seated"),
    ):
        with refuses(code):
            after(table, act)
    revealed = after(state, reveal(A))
    assert after(revealed, reveal(A)) == revealed
    # Readiness pressed again changes the hash until a salt is known.
    again = promise(A, "ee" * 32)
    assert after(state, again).seats[A].salt_hash == hash_of_salt("ee" * 32)
    assert after(state, reveal(B), again).seats[A].salt_hash == hash_of_salt(SALTS[A])
    state = after(full(), reveal(A))
    texts = repr(state) + repr(state.seats[A]) + repr(TABLE.read_action(reveal(A)[1]))
    assert SALTS[A] not in texts


def test_salts_of_a_table_seated_elsewhere_and_of_a_rematch() -> None:
    seated = TABLE.open_seated(opened(seats=2).options, NOON, {A: SALTS[A]})
    assert house(seated, "begin", NOON).state.starting
    assert seated.salts == ((A, SALTS[A]),)
    over = replace(full(), stage="open", play=None, start_at=None)
    assert TABLE.with_hash(over, A, hash_of_salt(SALTS[A]), NOON).seats[A].owes_salt


def test_salts_the_start_waits_for_the_public_log() -> None:
    step = TABLE.apply(after(unlogged(0, 1, seats=2), promise(A), at=LATE), *ready(B), LATE)
    # Nobody owes a salt here, but the other does.
    assert (step.state.starting, step.state.needs_log) == (True, True)
    plain_start = after(unlogged(0, 1, seats=2), ready(A), ready(B), at=LATE)
    later = Instant(LATE + 1_100)
    waiting = house(plain_start, "await", LATE + 100, due_at=later)
    assert (waiting.state.starting, waiting.state.start_at) == (False, later)
    assert kinds(waiting) == ["start_scheduled"]
    assert TABLE.on_deadline(waiting.state, later).state.starting


def test_salts_wait_for_the_public_log_and_a_reveal_before_is_refused_with_a_way_out() -> None:
    at = LATE
    state = full(unlogged(0, 1, seats=2))
    assert (state.starting, state.start_at) == (True, None)
    step = house(state, "await", at, due_at=at + 1_000)
    # No countdown is announced in which no salt is taken.
    assert (kinds(step), step.state.start_at) == ([], at + 1_000)
    assert "reveal" not in TABLE.may(step.state, A)
    with pytest.raises(errors.NotInPhase, match="wait for the public log"):
        after(step.state, reveal(A), at=at + 500)
    again = TABLE.on_deadline(step.state, Instant(at + 1_000)).state
    assert again.starting
    asked = house(again, "ask_salts", at + 1_000)
    assert (kinds(asked), asked.state.start_at) == (["start_scheduled"], at + 1_000 + REVEAL_LIMIT)
    assert "reveal" in TABLE.may(asked.state, A)
    assert after(asked.state, reveal(A), reveal(B), at=at + 1_100).starting


def test_salts_at_an_appointment_wait_for_the_public_log_and_nothing_starts_by_it() -> None:
    begins = Instant(NOON + 3_600_000)
    state = after(replace(unlogged(0, 1, seats=4), begins_at=begins), promise(A))
    assert (state.starting, "reveal" in TABLE.may(state, A)) == (True, False)
    waiting = house(state, "await", NOON, due_at=NOON + 1_000).state
    gone = after(waiting, (A, {"kind": "unready"}))
    assert (gone.starting, gone.start_at) == (False, None)
    due = TABLE.on_deadline(waiting, Instant(NOON + 1_000)).state
    asked = house(due, "ask_salts", NOON + 1_000).state
    assert (asked.starting, asked.start_at, asked.begins_at) == (False, None, begins)
    assert after(asked, reveal(A)).salts == ((A, SALTS[A]),)


def test_salts_of_a_table_from_before_the_wait_are_taken_as_then() -> None:
    old = plain(unlogged(0, 1, seats=2))
    del old["is_logged"]
    state = full(TABLE.decode(canonical({**old, "play": None}), ""))
    assert state.start_at == LATE + REVEAL_LIMIT
    assert "is_logged" not in TABLE.encode_table(state)
    assert after(state, reveal(A), reveal(B), at=LATE + 100).starting
