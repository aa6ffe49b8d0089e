"""A table at which everybody was seated: the house lets its game begin, and nobody else."""

import pytest

from games.engine import errors
from games.engine.facts import Instant, SeatNo
from games.engine.structs import replace
from games.engine.table import Table
from tests.games.engine.small_game import SmallGame

NOON = Instant(1_795_262_400_000)
TABLE = Table(SmallGame())


def test_seated_table_asks_for_its_start_when_the_house_begins() -> None:
    state = TABLE.open_seated(TABLE.rules.Options(), NOON, {})
    assert all(seat.taken and seat.ready and not seat.bot for seat in state.seats)
    assert not state.starting
    assert TABLE.apply_house(state, {"kind": "begin"}, NOON).state.starting


def test_seated_table_begins_only_when_everybody_is_there_and_ready() -> None:
    state = TABLE.open_seated(TABLE.rules.Options(), NOON, {})
    for missing in ({"ready": False}, {"taken": False}):
        first = replace(state.seats[0], **missing)
        with pytest.raises(errors.NotInPhase):
            TABLE.apply_house(
                replace(state, seats=(first, *state.seats[1:])), {"kind": "begin"}, NOON
            )


def test_seated_table_is_not_begun_by_a_person() -> None:
    state = TABLE.open_seated(TABLE.rules.Options(), NOON, {})
    with pytest.raises(errors.BadField):
        TABLE.apply(state, SeatNo(0), {"kind": "begin"}, NOON)
