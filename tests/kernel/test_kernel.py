"""Canonical text and instants."""

from __future__ import annotations

import doctest
import json
from datetime import UTC, datetime, timedelta, timezone
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel import draws, errors, facts, pots
from games.kernel.facts import as_datetime, canonical, instant, iso

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(plain)
def test_canonical_text_round_trips_and_is_ascii(value: Any) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert canonical(json.loads(text)) == text


def test_canonical_text_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical({"b": 1, "a": 2}) == canonical({"a": 2, "b": 1}) == '{"a":2,"b":1}'


@pytest.mark.parametrize("value", [1.0, float("nan"), {1}, {1: 2}, b"x", object(), [{"a": 1.5}]])
def test_canonical_text_refuses_what_has_no_one_form(value: object) -> None:
    with pytest.raises(TypeError):
        canonical(value)


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


@pytest.mark.parametrize("module", [facts, draws, pots])
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed


def test_every_error_has_a_code_of_its_own_and_a_sentence() -> None:
    found = errors.all_codes()
    assert {"action/not_in_phase", "action/raise_too_small", "bad_field", "stale"} <= set(found)
    assert all(found.values())
