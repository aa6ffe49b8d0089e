from itertools import combinations
from math import isclose, log2, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.reads.odds import LEAST, ODDS, probabilities, score


def by_hand(strengths: dict[int, int], hidden: int) -> dict[int, float]:
    """Return the same by all choices of ``hidden`` seats, one by one."""
    weights = {
        chosen: prod(ODDS[strengths[seat]] for seat in chosen)
        for chosen in combinations(strengths, hidden)
    }
    whole = sum(weights.values())
    return {
        seat: sum(weight for chosen, weight in weights.items() if seat in chosen) / whole
        for seat in strengths
    }


READS = st.lists(st.integers(0, 3), min_size=2, max_size=8)


@given(READS, st.data())
def test_read_probabilities_are_those_of_all_choices_and_sum_to_the_hidden(steps, data):
    strengths = dict(enumerate(steps))
    hidden = data.draw(st.integers(1, len(steps)))
    found = probabilities(strengths, hidden)
    assert all(isclose(found[no], chance) for no, chance in by_hand(strengths, hidden).items())
    assert isclose(sum(found.values()), hidden)


@pytest.mark.plain
@pytest.mark.parametrize("step", range(4))
@pytest.mark.parametrize(("seats", "hidden"), [(7, 2), (8, 6), (4, 4), (39, 29)])
def test_read_with_one_step_for_all_is_the_base_rate_and_scores_nothing(step, seats, hidden):
    strengths = dict.fromkeys(range(seats), step)
    assert set(probabilities(strengths, hidden).values()) == {hidden / seats}
    assert score(strengths, hidden, set(range(hidden))) == 0


@pytest.mark.plain
def test_read_score_by_its_closed_form():
    """One of two is of the mafia; the odds 3 to 1 give 3/4 to the one that is suspected."""
    assert isclose(score({0: 1, 1: 0}, 1, {0}), log2(0.75 / 0.5))
    assert isclose(score({0: 1, 1: 0}, 1, {1}), log2(0.25 / 0.5))


@pytest.mark.plain
def test_read_probabilities_are_clipped_for_the_score():
    assert probabilities({0: 3, 1: 0}, 1)[0] < 1 - LEAST
    sure = {0: 3, 1: 3, 2: 0, 3: 0}
    assert probabilities(sure, 2)[2] > LEAST
    three = {0: 3, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0}
    assert probabilities(three, 5)[0] > 1 - LEAST
    rest = probabilities(three, 5)[1]
    right = (log2((1 - LEAST) / (5 / 6)) + 4 * log2(rest / (5 / 6)) + log2((1 - rest) * 6)) / 6
    assert isclose(score(three, 5, {0, 1, 2, 3, 4}), right)


@given(READS, st.data())
def test_read_score_grows_with_the_suspicion_of_one_who_is_guilty(steps, data):
    strengths = dict(enumerate(steps)) | {0: data.draw(st.integers(0, 2))}
    more = strengths | {0: strengths[0] + 1}
    assert probabilities(more, 1)[0] > probabilities(strengths, 1)[0]
