from typing import Any

import pytest

from games.engine.choices import bounds_of, chosen_options, clean_options, site_numbers
from tests.games.engine.small_game import Options
from tests.refusals import refuses


def test_options_say_who_chooses_them_and_which_numbers_they_follow() -> None:
    assert chosen_options(Options) == {
        *("seats", "ante", "largest_purse", "target", "listed", "spectators")
    }
    assert site_numbers(Options) == {"largest_purse": "small.purse", "tax_bp": "small.tax_bp"}
    assert bounds_of(Options, "tax_bp") == {"least": 0, "most": 10_000}
    assert bounds_of(Options, "listed") == {}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        *(
            ({"ante": ante}, {"option": "ante", "least": 1, "most": 1000})
            for ante in (0, 1.0, True, "1", None, 2**70, [[]])
        ),
        *(({"listed": value}, {"option": "listed"}) for value in (1, None)),
        *(({"colour": 1}, {"option": "colour"}), ({"not a name": 1}, {"option": ""})),
        ({"ante": 7, "largest_purse": 5}, {"option": "largest_purse"}),
    ],
)
def test_options_that_are_wrong_are_named_with_their_bounds(raw: Any, detail: Any) -> None:
    with refuses("action/bad_option") as refusal:
        clean_options(Options, raw)
    assert (refusal.value.code, refusal.value.detail) == ("action/bad_option", detail)
