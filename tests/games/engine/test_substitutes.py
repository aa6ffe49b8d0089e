"""Seats that somebody takes over in the running game, around any game.  No database."""

from typing import Any

import pytest

from games.engine import errors
from games.engine.choices import clean_options
from games.engine.facts import Instant, SeatNo, Step
from games.engine.table import OVER, RUNNING, Table, TableState
from tests.games.engine.small_game import SmallGame
from tests.games.engine.small_game import State as Small
from tests.games.engine.test_table import NOON


class Offering(SmallGame):
    def __init__(self, purse: int = 0) -> None:
        self.purse = purse

    def purse_limits(self, options: Any) -> tuple[int, int]:
        return self.purse, self.purse

    def open_seats(self, state: Small) -> tuple[SeatNo, ...]:
        return self.pending_seats(state)

    def take_over(self, state: Small, seat: SeatNo, at: Instant) -> Step[Small]:
        return Step(state)


TABLE = Table(Offering())


def running(table: Table) -> TableState:
    state = table.open(clean_options(table.rules.Options, {"seats": 3}), NOON)
    purse = table.rules.purse_limits(state.options)[0]
    for seat in (0, 1):
        state = table.apply(state, None, {"kind": "sit", "seat": seat, "purse": purse}, NOON).state
    state = table.apply_house(state, {"kind": "sit_bot", "seat": 2, "purse": purse}, NOON).state
    start = {"kind": "start", "seed": "ab" * 32}
    return table.apply_house(state, start, NOON).state


def refused(table: Table, state: TableState, sitter: int | None, **action: Any) -> str:
    """Return the code with which an action is refused, which changes nothing."""
    before = table.encode(state)
    viewer = None if sitter is None else SeatNo(sitter)
    with pytest.raises(errors.IllegalAction) as refusal:
        table.apply(state, viewer, {"kind": "take_over", **action}, NOON)
    assert table.encode(state) == before
    return refusal.value.code


def test_table_an_open_seat_is_taken_over_and_told_to_everybody() -> None:
    state = running(TABLE)
    assert TABLE.open_seats(state) == (0, 1), "a bot's seat is never open"
    assert (TABLE.may(state, None), TABLE.may(state, SeatNo(0))) == (["take_over"], [])
    step = TABLE.apply(state, None, {"kind": "take_over", "seat": 1}, NOON)
    told = [(told.kind, told.data, told.audience) for told in step.events]
    assert told == [("seat_taken_over", {"seat": 1}, None)]
    assert [seat.successions for seat in step.state.seats] == [0, 1, 0]
    assert TABLE.decode(*TABLE.encode(step.state)) == step.state
    # The next game knows nothing of it.
    over = TABLE.apply_house(step.state, {"kind": "void", "reason": "a test"}, NOON).state
    following = TABLE.open_next(over, SeatNo(0), over.options, NOON)
    assert [seat.successions for seat in following.seats] == [0, 0, 0]


@pytest.mark.parametrize(
    ("sitter", "action", "code"),
    [
        (0, {"seat": 1}, "action/already_seated"),
        *((None, {"seat": seat}, "action/seat_not_open") for seat in (2, 9)),
        *((None, action, "bad_field") for action in ({"seat": True}, {})),
    ],
)
def test_table_who_sits_or_asks_for_another_seat_is_refused(sitter, action, code) -> None:
    assert refused(TABLE, running(TABLE), sitter, **action) == code


def test_table_nothing_is_open_before_and_after_the_game_or_where_somebody_has_paid() -> None:
    paid = running(Table(Offering(purse=50)))
    assert paid.stage == RUNNING
    before = TABLE.open(clean_options(TABLE.rules.Options, {"seats": 3}), NOON)
    over = TABLE.apply_house(running(TABLE), {"kind": "void", "reason": "a test"}, NOON).state
    assert over.stage != OVER
    for table, state, code in (
        (Table(Offering(purse=50)), paid, "action/seat_not_open"),
        (TABLE, before, "action/not_in_phase"),
        (TABLE, over, "action/not_in_phase"),
    ):
        assert (table.open_seats(state), refused(table, state, None, seat=0)) == ((), code)


def test_table_a_game_without_substitutes_has_no_open_seat_and_expels_nobody() -> None:
    table, state = Table(SmallGame()), running(TABLE)
    assert table.open_seats(state) == ()
    assert refused(table, state, None, seat=0) == "action/seat_not_open"
    with pytest.raises(errors.NotInPhase):
        table.apply_house(state, {"kind": "expel", "seat": 0}, NOON)
    with pytest.raises(errors.NotInPhase):
        table.rules.take_over(state.play, SeatNo(0), NOON)
