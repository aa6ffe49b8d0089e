"""Hands, options and their ranges.  Source: docs/rules/duel.md "Naming a hand", "Options"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.duel.rules.state import QUICK, Options, hand_named
from games.engine.choices import clean_options
from games.engine.facts import SeatNo, SeatSetup
from tests.games.duel.rules.kit import HANDS, NOON, RULES
from tests.refusals import refuses

#: What is a hand, and what only looks like one.
TEXTS = [
    *("r", "Rock", "P", "paper plane", "s", "SPOCK", "r\x00"),
    *("", " rock", "lizard", "\u017f", "\uff52", "1"),
]


@pytest.mark.plain
@pytest.mark.parametrize("text", TEXTS)
def test_duel_a_hand_is_known_by_its_first_letter_and_looking_alike_is_not_enough(text: str):
    if text[:1] in tuple("rpsRPS"):
        assert hand_named(text).value == HANDS[text[0].lower()]
        return
    with refuses("action/bad_hand") as refusal:
        hand_named(text)
    assert refusal.value.code == "action/bad_hand"


@given(st.text())
def test_duel_any_other_text_is_no_hand(text: str) -> None:
    test_duel_a_hand_is_known_by_its_first_letter_and_looking_alike_is_not_enough(text)


def test_duel_a_quick_duel_is_of_five_throws_for_no_points_and_one_sits_down_with_the_stake():
    options = clean_options(Options, QUICK)
    shown = (options.best_of, options.no_ties, options.stake, options.rated, options.clock_seconds)
    assert shown == (5, True, 0, True, 30)
    for stake in (0, 40):
        assert RULES.purse_limits(clean_options(Options, {"stake": stake})) == (stake, stake)


@pytest.mark.parametrize(
    "seats", [[], [(0, 5)], [(0, 5), (0, 5)], [(0, 5), (2, 5)], [(0, 5), (1, 4)], [(0, 6), (1, 5)]]
)
def test_duel_other_seats_or_purses_cannot_play(seats: list[tuple[int, int]]) -> None:
    setups = [SeatSetup(SeatNo(no), purse) for no, purse in seats]  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"duel|purse"):
        RULES.setup(clean_options(Options, {"stake": 5}), setups, "s", NOON)
