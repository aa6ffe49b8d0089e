"""A table at which everybody was seated: the house lets its game begin, and nobody else."""

import pytest

from games.engine import errors
from games.engine.structs import replace
from tests.games.engine.test_table import NOON, TABLE, A

SEATED = TABLE.open_seated(TABLE.rules.Options(), NOON, {})


def test_seated_table_asks_for_its_start_when_the_house_begins() -> None:
    assert all(seat.taken and seat.ready and not seat.bot for seat in SEATED.seats)
    assert not SEATED.starting
    assert TABLE.apply_house(SEATED, {"kind": "begin"}, NOON).state.starting
    with pytest.raises(errors.BadField):
        TABLE.apply(SEATED, A, {"kind": "begin"}, NOON)


@pytest.mark.parametrize("missing", ["ready", "taken"])
def test_seated_table_begins_only_when_everybody_is_there_and_ready(missing: str) -> None:
    first = replace(SEATED.seats[0], **{missing: False})
    state = replace(SEATED, seats=(first, *SEATED.seats[1:]))
    with pytest.raises(errors.NotInPhase):
        TABLE.apply_house(state, {"kind": "begin"}, NOON)
