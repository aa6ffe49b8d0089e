"""A match of the ladder.  Source: docs/explanation/ladder.md."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ladder.rules.match import (
    BANK,
    HANDS,
    LEAST_THROWS,
    LONGEST,
    MOST_TRIP,
    THROWS,
    LadderMatch,
    Reason,
    pack,
    results,
    unpack,
)

BEATS = {"r": "s", "p": "r", "s": "p"}


def play(match: LadderMatch, one: str, other: str, at: float = 0.0, order: int = 0) -> bool:
    match.ask(at)
    answers = [(0, one), (1, other)]
    first, second = answers if not order else answers[::-1]
    assert not match.answer(*first, at, 0.0)
    return match.answer(*second, at, 0.0)


@given(st.lists(st.tuples(*[st.sampled_from(HANDS)] * 2, st.booleans()), min_size=1))
def test_ladder_match_counts_as_the_rule_says(throws: list[tuple[str, str, bool]]) -> None:
    match = LadderMatch(0.0, len(throws))
    for one, other, order in throws:
        assert match.reason is None
        assert play(match, one, other, order=order)
    assert match.wins == [
        sum(BEATS[one] == other for one, other, _ in throws),
        sum(BEATS[other] == one for one, other, _ in throws),
    ]
    assert match.reason is Reason.PLAYED
    assert match.forfeit is None
    first, second = match.wins
    assert match.winner == (None if first == second else 0 if first > second else 1)
    told = results(match.hands)
    assert [told.count(1), told.count(-1)] == match.wins
    assert "".join(HANDS[code] for code in match.hands[1]) == "".join(t[1] for t in throws)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=THROWS))
def test_ladder_hands_take_two_bits(pairs: list[tuple[int, int]]) -> None:
    hands = [one for one, _ in pairs], [other for _, other in pairs]
    packed = pack(hands)
    assert len(packed) == (len(pairs) + 1) // 2
    assert unpack(packed) == hands


def test_ladder_a_whole_match_takes_500_bytes() -> None:
    assert len(pack([[2] * THROWS, [2] * THROWS])) == 500


@pytest.mark.parametrize("said", ["x", "", "rock", "R", None, 1, True, ["r"], {"r": 1}, 0.5])
def test_ladder_something_else_than_a_hand_forfeits(said: object) -> None:
    match = LadderMatch(0.0)
    match.ask(0.0)
    assert match.answer(1, said, 0.0, 0.0)
    assert (match.reason, match.forfeit, match.winner) == (Reason.BAD_HAND, 1, 0)
    assert match.played == 0


def test_ladder_a_second_answer_forfeits_and_the_first_does_not_count() -> None:
    match = LadderMatch(0.0)
    play(match, "r", "s")
    match.ask(1.0)
    match.answer(0, "r", 1.0, 0.0)
    assert match.answer(0, "p", 1.0, 0.0)
    assert (match.reason, match.forfeit) == (Reason.BAD_ANSWER, 0)
    assert (match.wins, match.winner) == ([1, 0], 1)


def test_ladder_nothing_changes_an_ended_match() -> None:
    match = LadderMatch(0.0, 1)
    play(match, "r", "p", at=2.0)
    match.give_up(1, Reason.LEFT, 3.0)
    assert not match.answer(0, "x", 3.0, 0.0)
    assert match.look(LONGEST * 9, (0.0, 0.0))
    assert (match.reason, match.forfeit, match.ended_at) == (Reason.PLAYED, None, 2.0)


@given(st.lists(st.tuples(st.floats(0, 0.6), st.floats(0, 0.6)), max_size=60))
def test_ladder_clock_takes_off_the_line_and_no_more(waits: list[tuple[float, float]]) -> None:
    match, at, thought = LadderMatch(0.0), 0.0, 0.0
    for wait, trip in waits:
        match.ask(at)
        match.answer(0, "r", at + wait, trip)
        match.answer(1, "r", at, 5.0)
        thought += max(0.0, wait - min(trip, MOST_TRIP))
        at += 1.0
    assert match.thought[0] == pytest.approx(thought)
    assert match.thought[1] == 0.0


def test_ladder_a_line_of_150_ms_each_way_leaves_the_whole_bank_for_thinking() -> None:
    match = LadderMatch(0.0, THROWS)
    for no in range(THROWS):
        match.ask(no)
        match.answer(0, "r", no + 0.3, 0.3)
        match.answer(1, "r", no + 0.3, 0.3)
    assert (match.reason, match.thought) == (Reason.PLAYED, pytest.approx([0.0, 0.0], abs=1e-6))


def test_ladder_a_longer_line_than_the_longest_is_thinking() -> None:
    match = LadderMatch(0.0)
    match.ask(0.0)
    match.answer(0, "r", 1.0, 99.0)
    assert match.thought[0] == pytest.approx(1.0 - MOST_TRIP)


def test_ladder_an_empty_bank_forfeits_by_the_answer_that_came_too_late() -> None:
    match = LadderMatch(0.0)
    match.ask(0.0)
    assert match.answer(1, "r", BANK + 0.1, 0.0)
    assert (match.reason, match.forfeit, match.played) == (Reason.CLOCK, 1, 0)


@pytest.mark.parametrize(("late", "seat"), [((0.0, 0.1), 0), ((0.1, 0.0), 1)])
def test_ladder_of_two_that_say_nothing_the_slower_forfeits(
    late: tuple[float, float], seat: int
) -> None:
    match = LadderMatch(0.0)
    match.ask(0.0)
    assert not match.look(BANK, (0.0, 0.0))
    assert match.look(BANK + 1.0, late)
    assert (match.reason, match.forfeit, match.thought[seat]) == (Reason.CLOCK, seat, BANK)


def test_ladder_the_one_who_answered_is_not_waited_for() -> None:
    match = LadderMatch(0.0)
    match.ask(0.0)
    match.answer(0, "p", 0.1, 0.0)
    assert match.look(BANK + 1.0, (0.0, 0.0))
    assert match.forfeit == 1


@pytest.mark.parametrize(("played", "counts"), [(LEAST_THROWS - 1, False), (LEAST_THROWS, True)])
def test_ladder_a_match_ends_after_a_quarter_of_an_hour(played: int, counts: bool) -> None:
    match = LadderMatch(0.0)
    for _ in range(played):
        play(match, "p", "r")
    match.ask(LONGEST)
    assert not match.look(LONGEST, (0.0, 0.0))
    assert match.look(LONGEST + 0.1, (0.0, 0.0))
    assert (match.reason, match.forfeit, match.counts) == (Reason.TIME, None, counts)
    assert match.winner == 0
