from typing import Any

import pytest

from games.realtime import limits
from games.realtime.limits import SPAN, USER_LINES, ChatLimits, Muted, TooFast
from tests.refusals import refuses


@pytest.fixture
def chat_limits(clock) -> ChatLimits:
    return ChatLimits(clock)


def flood(chat_limits: ChatLimits, clock: Any, seconds: float = SPAN) -> list[str]:
    said = []
    for _ in range(30):
        try:
            chat_limits.take(1, "192.0.2.7")
            said.append("said")
        except TooFast as problem:
            said.append(problem.code)
        clock.now += seconds / 30
    return said


@pytest.mark.parametrize("seconds", [0.0, 1.0, SPAN])
def test_hostile_63_of_thirty_lines_in_five_seconds_five_are_said(chat_limits, clock, seconds):
    said = flood(chat_limits, clock, seconds=seconds)
    assert said == ["said"] * USER_LINES + ["rate_limited"] * 25


def test_hostile_63_who_floods_again_is_muted_for_a_minute(chat_limits, clock) -> None:
    flood(chat_limits, clock)
    clock.now += 1
    again = flood(chat_limits, clock, seconds=0)
    assert again == ["said"] * USER_LINES + ["muted"] * 25
    clock.now += 20
    with pytest.raises(Muted) as refusal:
        chat_limits.take(1, "192.0.2.7")
    assert (refusal.value.code, refusal.value.retry_ms) == ("muted", 40_000)
    assert refusal.value.detail == {"seconds": 40}
    clock.now += limits.MUTED - 20
    assert flood(chat_limits, clock)[:6] == ["said"] * USER_LINES + ["rate_limited"]


def test_of_quick_phrases_one_in_five_seconds_is_said_and_lines_as_before(chat_limits, clock):
    chat_limits.take(1, "192.0.2.7", is_phrase=True)
    clock.now += SPAN - 1
    with refuses("rate_limited") as refusal:
        chat_limits.take(1, "192.0.2.7", is_phrase=True)
    assert refusal.value.retry_ms == 1000
    chat_limits.take(1, "192.0.2.7")
    chat_limits.take(2, "192.0.2.7", is_phrase=True)
    clock.now += 1
    chat_limits.take(1, "192.0.2.7", is_phrase=True)


def test_who_waits_as_long_as_told_is_heard(chat_limits, clock) -> None:
    for _ in range(20):
        for _ in range(USER_LINES):
            chat_limits.take(1, "192.0.2.7")
            clock.now += 0.5
        with refuses("rate_limited") as refusal:
            chat_limits.take(1, "192.0.2.7")
        clock.now += refusal.value.retry_ms / 1000
        chat_limits.take(1, "192.0.2.7")
        clock.now += limits.MUTED


def test_many_accounts_of_one_address_are_slowed_together_and_not_muted(chat_limits, clock) -> None:
    for _ in range(3):
        said, refused = 0, set()
        for user_id in range(100):
            try:
                chat_limits.take(user_id, "192.0.2.7")
                said += 1
            except TooFast as problem:
                refused.add(problem.code)
        assert (said, refused) == (limits.ADDRESS_LINES, {"rate_limited"})
        chat_limits.take(1000, "198.51.100.1")
        clock.now += SPAN


@pytest.mark.plain
def test_what_is_known_of_voices_is_bounded(chat_limits, clock) -> None:
    flood(chat_limits, clock)
    for number in range(limits.MOST_KNOWN + 10):
        chat_limits.take(1000 + number, f"address {number}")
    assert len(chat_limits._voices) <= limits.MOST_KNOWN + 2
