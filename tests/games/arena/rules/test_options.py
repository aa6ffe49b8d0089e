from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.arena.rules.options import (
    ALL_UNDECIDED,
    CARRIED,
    MOST_CARRIED,
    OPTIONS,
    Preference,
    Preferences,
    RoundOptions,
    carried_after,
    draw_chooser,
    draw_options,
    undecided_after,
)
from tests.games.arena.rules.kit import options, seeds

wishes = st.builds(Preferences, *[st.sampled_from(list(Preference))] * 6)
NEVER = RoundOptions()


@given(st.none() | options, wishes, seeds)
def test_arena_what_the_drawn_player_wishes_is_done(previous, drawn, seed) -> None:
    found = draw_options(previous, drawn, seed, {})
    for name in OPTIONS:
        wish = getattr(drawn, name)
        if wish != Preference.ANY:
            assert getattr(found, name) is (wish == Preference.ON)
        elif previous is not None:
            assert getattr(found, name) is getattr(previous, name)


def test_arena_first_options_are_drawn_but_for_team_and_survivor() -> None:
    found = [draw_options(None, Preferences(), str(seed), {}) for seed in range(400)]
    for name in OPTIONS:
        on = sum(getattr(each, name) for each in found)
        # Six standard deviations of 400 coins.
        assert on == 0 if name in CARRIED else 140 < on < 260
    pairs = Counter((each.blitz, each.count) for each in found)
    assert min(pairs.values()) > 50


@pytest.mark.parametrize("name", CARRIED)
def test_arena_nobodys_asking_carries_team_and_survivor_for_thirty_rounds(name: str) -> None:
    asked, careless = Preferences(**{name: Preference.ON}), Preferences()
    carried: dict[str, int] = {}
    assert getattr(draw_options(None, asked, "0", {}), name) is True
    now = draw_options(NEVER, asked, "0", carried)
    carried = carried_after(carried, asked, now)
    assert carried[name] == 0
    lasted = 0
    while getattr(now := draw_options(now, careless, "0", carried), name):
        carried = carried_after(carried, careless, now)
        lasted += 1
        assert lasted <= MOST_CARRIED
    assert lasted == MOST_CARRIED == 30
    assert carried_after(carried, careless, now)[name] == 0
    carried = carried_after(carried, careless, now)
    assert not getattr(draw_options(now, careless, "0", carried), name)
    # Asking again restarts the thirty rounds.
    now = draw_options(RoundOptions(**{name: True}), asked, "0", {name: MOST_CARRIED})
    assert getattr(now, name)
    assert carried_after({name: MOST_CARRIED}, asked, now)[name] == 0


def test_arena_other_options_are_carried_for_ever() -> None:
    previous = RoundOptions(blitz=True, classic=True, inverted=True, count=True)
    carried = dict.fromkeys(OPTIONS, 10**6)
    assert draw_options(previous, Preferences(), "0", carried) == previous
    # Without anybody to draw all stays.
    previous = RoundOptions(blitz=True, survivor=True)
    assert draw_options(previous, None, "0", {}) == previous


def test_arena_each_who_is_in_is_as_likely_to_be_drawn() -> None:
    drawn = Counter(draw_chooser(str(seed), 4) for seed in range(800))
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 130
    with pytest.raises(ValueError, match="bound"):
        draw_chooser("0", 0)


def test_arena_after_plain_rounds_one_option_a_round_is_drawn_that_nobody_has_decided() -> None:
    found = []
    for seed in map(str, range(400)):
        now, undecided = RoundOptions(), undecided_after(None, None, ALL_UNDECIDED)
        assert undecided == ALL_UNDECIDED  # a plain round decides nothing
        # The first one to be drawn decides Blitz, the others nothing.
        rounds = []
        for drawn in (Preferences(blitz=Preference.OFF), *[Preferences()] * 4):
            before = now
            now = draw_options(now, drawn, seed, {"undecided": undecided})
            undecided = undecided_after(before, drawn, undecided)
            rounds.append(now)
        found.append(rounds)
        assert undecided == 0
    for name, first in (("classic", 0), ("inverted", 1), ("count", 2)):
        on = [[getattr(each, name) for each in rounds] for rounds in found]
        assert not any(value for rounds in on for value in rounds[:first])
        # Six standard deviations of 400 coins.
        assert 140 < sum(rounds[first] for rounds in on) < 260
        assert all(len(set(rounds[first:])) == 1 for rounds in on)
    assert not any(each.blitz or each.team or each.survivor for rounds in found for each in rounds)
