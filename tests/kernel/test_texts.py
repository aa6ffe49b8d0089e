"""A state's text comes out the same by the quick way as by the plain one."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.duel.rules import trial as duels
from games.kernel.facts import Latest, canonical
from games.kernel.texts import canonical_state
from games.showdown.rules.trial import play_random
from tests.games.duel.rules import kit
from tests.games.showdown.rules.kit import RULES, first_round, steps


@dataclass(frozen=True, slots=True)
class Odd:
    """A state of one field, for whatever may stand in it."""

    value: Any


def plain(value: Any) -> Any:
    """Return a state as maps and lists, the slow way."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_text_of_a_state_is_the_canonical_one_at_every_step(seed: int) -> None:
    for _, _, step in steps(play_random(f"texts/{seed}")):
        assert RULES.encode_state(step.state) == canonical({"schema": 1, **plain(step.state)})


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=20))
def test_text_of_a_duel_is_the_canonical_one_at_every_step(seed: str) -> None:
    for _, _, step in duels.steps(duels.play_random(seed)):
        text = kit.RULES.encode_state(step.state)
        assert text == canonical({"schema": 1, **plain(step.state)})


def test_text_follows_a_changed_part_and_not_one_that_is_merely_equal() -> None:
    state = first_round(3)
    first = RULES.encode_state(state)
    one, *others = state.seats
    changed = replace(state, seats=(replace(one, points=7), *others))
    assert '"points":7' in RULES.encode_state(changed)
    true = replace(state, seats=(replace(one, points=True), *others))
    assert '"points":true' in RULES.encode_state(true)
    assert RULES.encode_state(state) == first


@pytest.mark.parametrize("value", [1.5, float("nan"), 1e300, {1}, object(), (Odd(2.5),)])
def test_text_refuses_what_has_no_one_form(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        canonical_state(1, Odd(value))


def test_text_keeps_sentences_with_points_and_other_letters() -> None:
    assert canonical_state(1, Odd("1.5 é")) == '{"schema":1,"value":"1.5 \\u00e9"}'
    assert canonical_state(1, Odd((True, None, -1))) == '{"schema":1,"value":[true,null,-1]}'


def test_latest_makes_a_part_once_for_the_very_object_and_forgets_when_there_are_too_many() -> None:
    made = []
    latest = Latest(lambda source: made.append(source) or len(made), most=10)
    first, twin = Odd(1), Odd(1)
    assert [latest.of(first), latest.of(twin), latest.of(first)] == [1, 2, 1]
    for number in range(10):
        latest.of(Odd(number))
    assert latest.of(first) == 13
    assert len(latest._kept) <= 10
