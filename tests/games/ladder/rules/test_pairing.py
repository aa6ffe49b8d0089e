"""Pairs of the ladder.  Source: docs/explanation/ladder.md."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from games.ladder.rules.pairing import (
    DAY,
    FIRST_MATCHES,
    HOUR,
    PAIR_DAILY,
    PATIENCE,
    LastDay,
    Pace,
    Waiting,
    pair_of,
    pairs,
)

PACE = Pace(30, 300, 5)
HOUSE = [Waiting(-1, 20.0, 0.0, 99), Waiting(-2, 30.0, 0.0, 99)]


def one(user: int, mu: float = 25.0, since: float = 0.0, rated: int = FIRST_MATCHES) -> Waiting:
    return Waiting(user, mu, since, rated)


WAITING = st.builds(
    Waiting,
    st.integers(1, 30),
    st.floats(0, 50),
    st.floats(0, 20),
    st.sampled_from([0, FIRST_MATCHES - 1, FIRST_MATCHES, 300]),
)
MET = st.dictionaries(
    st.tuples(st.integers(-2, 30), st.integers(-2, 30)).map(lambda two: pair_of(*two)),
    st.integers(1, 9),
    max_size=20,
)


@given(st.lists(WAITING, unique_by=lambda each: each.user, max_size=12), MET)
def test_ladder_pairs_keep_all_rules(waiting: list[Waiting], met: dict[tuple[int, int], int]):
    found = pairs(waiting, HOUSE, met, 20.0)
    by_user = {each.user: each for each in [*waiting, *HOUSE]}
    programs = [user for pair in found for user in pair if user > 0]
    assert len(programs) == len(set(programs))
    for first, second in found:
        assert first > 0
        assert second != first
        if second > 0:
            assert not by_user[first].is_new
            assert not by_user[second].is_new
    settled = [each.user for each in waiting if not each.is_new]
    alone = [user for user in settled if user not in programs]
    assert len(alone) <= 1, "two that may meet were left waiting"
    assert {each.user for each in waiting if each.is_new} <= set(programs)
    for user in alone:
        assert 20.0 - by_user[user].since <= PATIENCE
    if len(settled) > 1:
        first = min(settled, key=lambda user: (by_user[user].since, user))
        other = next(second for one_, second in found if one_ == first)
        least = min(met.get(pair_of(first, user), 0) for user in settled if user != first)
        assert met.get(pair_of(first, other), 0) == least
        assert abs(by_user[other].mu - by_user[first].mu) == min(
            abs(by_user[user].mu - by_user[first].mu)
            for user in settled
            if user != first and met.get(pair_of(first, user), 0) == least
        )


def test_ladder_who_met_less_goes_before_who_is_nearer() -> None:
    met = Counter({pair_of(1, 2): 1})
    assert pairs([one(1), one(2), one(3, mu=40.0)], HOUSE, met, 1.0) == [(1, 3)]


def test_ladder_one_alone_meets_the_house_after_five_seconds_only() -> None:
    assert pairs([one(1)], HOUSE, {}, PATIENCE) == []
    assert pairs([one(1, mu=29.0)], HOUSE, {}, PATIENCE + 0.1) == [(1, -2)]


def test_ladder_the_first_twenty_matches_are_against_the_house_at_once() -> None:
    new = one(1, mu=24.0, rated=FIRST_MATCHES - 1)
    assert pairs([new, one(2), one(3)], HOUSE, {}, 0.0) == [(1, -1), (2, 3)]
    assert pairs([new], [], {}, 99.0) == []


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(6, 9), st.floats(0, 9e4), st.booleans())))
def test_ladder_lately_knows_the_matches_of_a_day(told: list[tuple[int, int, float, bool]]) -> None:
    lately, at = LastDay(), 120_000.0
    told.sort(key=lambda each: each[2])
    for first, second, end, is_rated in told:
        lately.add((second, first), end, is_rated)
    lately.forget(at)
    left = [each for each in told if each[2] > at - DAY]
    assert lately.met == Counter((first, second) for first, second, _, _ in left)
    for first in range(1, 6):
        for second in range(6, 10):
            rated = sum(each[:2] == (first, second) and each[3] for each in left)
            assert lately.may_rate((first, second)) == (rated < PAIR_DAILY)
        ends = [end for one_, _, end, _ in left if one_ == first]
        hour = [end for end in ends if end > at - HOUR]
        may = len(ends) < 4 and len(hour) < 2 and (not ends or ends[-1] + 5 <= at)
        assert lately.may_play(first, at, Pace(2, 4, 5)) == may


def test_ladder_a_program_rests_between_two_matches() -> None:
    lately = LastDay()
    lately.add((1, 2), 100.0, True)
    assert not lately.may_play(1, 104.9, PACE)
    assert lately.may_play(1, 105.0, PACE)
    assert lately.may_play(3, 100.0, PACE)
