"""Actions and options on the wire: nothing is converted, nothing is ignored."""

import pytest

from games.showdown.rules.state import fill_options

SITE = {"ante": 1, "largest_purse": 100}


@pytest.mark.parametrize(
    ("site", "chosen", "largest"),
    [
        *((SITE, {"ante": 500}, 500), (SITE, {"ante": 50}, 100), (SITE, {"ante": "500"}, 100)),
        (SITE, {"ante": 10, "largest_purse": 9}, 9),
        *(({"ante": 7, "largest_purse": 3}, {}, 7), ({}, {"ante": 300}, 300), ({}, {}, 100)),
        ({"largest_purse": 100}, {"ante": "500"}, 100),
    ],
)
def test_a_largest_purse_that_nobody_chose_gives_way_to_the_ante(site, chosen, largest) -> None:
    filled = fill_options({**site, **chosen}, chosen)
    assert filled == {**site, **chosen, "largest_purse": largest}
