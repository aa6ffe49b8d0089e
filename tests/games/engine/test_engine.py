import doctest
import json
from datetime import UTC, datetime, timedelta, timezone
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import draws, facts, stakes, structs
from games.engine.facts import (
    Fact,
    Growing,
    SeatNo,
    SecretFact,
    Step,
    Told,
    as_datetime,
    instant,
    iso,
)
from games.engine.structs import canonical
from tests.games.judging import all_codes

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_canonical_text_round_trips_whatever_the_order_of_keys(value: Any) -> None:
    text = canonical(value)
    assert (json.loads(text), canonical(json.loads(text))) == (value, text)
    assert canonical({"b": 1, "a": 2}) == canonical({"a": 2, "b": 1}) == '{"a":2,"b":1}'


class CardShown(Fact, frozen=True):
    seat: SeatNo
    cards: tuple[int, ...] = ()


class CardDealt(SecretFact, frozen=True):
    seat: SeatNo
    card: int


def test_a_fact_is_told_by_its_kind_and_plain_data_to_an_audience() -> None:
    def told(seat: int, *audience: list[SeatNo]) -> Told:
        return Told(CardShown(SeatNo(seat), (3, 4)), *audience)

    one = told(1)
    data = {"seat": 1, "cards": [3, 4]}
    assert (one.kind, one.data, one.audience) == ("card_shown", data, None)
    assert one == told(1)
    assert one not in (told(1, [SeatNo(1)]), told(2))
    assert len({one, told(1)}) == 1
    step = Step(None, (Told(CardDealt(SeatNo(1), 4711), {SeatNo(1)}),))
    assert "4711" not in repr(step), "a secret one prints as its name alone"
    assert "CardDealt" in repr(step)


@given(st.datetimes(min_value=datetime(1971, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_an_instant_is_cut_to_milliseconds_and_comes_back(moment: datetime) -> None:
    at = instant(moment)
    assert timedelta(0) <= moment - as_datetime(at) < timedelta(milliseconds=1)
    assert instant(datetime.fromisoformat(iso(at))) == at


def test_an_instant_needs_a_time_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        instant(datetime(2026, 1, 1))  # noqa: DTZ001 - naive on purpose
    east = datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    assert iso(instant(east)) == "2026-01-01T00:00:00.000Z"


@pytest.mark.parametrize("module", [structs, facts, draws, stakes])
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


def test_every_error_has_a_code_of_its_own_and_a_sentence() -> None:
    found = all_codes()
    assert {"action/not_in_phase", "action/raise_too_small", "bad_field", "stale"} <= set(found)
    assert all(found.values())


def test_growing_makes_each_part_once_and_gives_what_making_all_anew_gives() -> None:
    made: list[str] = []

    def shout(word: list[str]) -> str:
        made.append(word[0])
        return word[0].upper()

    growing = Growing(shout, most=2)
    a, b, c = ["a"], ["b"], ["c"]
    assert [growing.of(tuple([a, b, c][:count])) for count in (0, 1, 2, 2, 3)] == [
        [], ["A"], ["A", "B"], ["A", "B"], ["A", "B", "C"]
    ]  # fmt: skip
    assert made == ["a", "b", "c"]
    # Another future of the same past, and a past that was forgotten.
    assert (growing.of((a, b, ["d"])), growing.of((a,))) == (["A", "B", "D"], ["A"])
    assert growing.of((["a"], ["e"])) == ["A", "E"]
    assert growing.of((a, b, c)) == ["A", "B", "C"]
