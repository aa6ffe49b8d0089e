"""Changed rows: what was shown and the changes make what is shown, whatever has happened."""

from itertools import pairwise
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from games.realtime.changes import changed_rows
from tests.forms import form

ROW = st.fixed_dictionaries(
    {"public_id": st.sampled_from("abcdefgh"), "watching": st.integers(0, 2)}
)
ROWS = st.lists(ROW, unique_by=lambda row: row["public_id"], max_size=8)
LISTS = st.fixed_dictionaries({"duel": ROWS, "agora": ROWS})


def applied(lists: Any, changes: Any) -> dict[str, Any]:
    """Return the lists after changes, by the protocol's own words."""
    after = dict(lists)
    for slug, changed in changes.items():
        left = {*changed["gone"], *(row["public_id"] for _, row in changed["rows"])}
        after[slug] = [row for row in lists[slug] if row["public_id"] not in left]
        for place, row in changed["rows"]:
            after[slug].insert(place, row)
    return after


def sent(changes: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(changes))


@settings(max_examples=form(50, in_all=300, in_long=3_000))
@given(st.lists(LISTS, min_size=2, max_size=6))
def test_lists_and_changed_rows_make_the_next_lists_in_any_sequence(sequence: Any) -> None:
    shown = sequence[0]
    for before, after in pairwise(sequence):
        changes = sent(changed_rows(before, after))
        shown = applied(shown, changes)
        assert shown == after
        # A socket that was sent the lists between may get their changes as well.
        assert applied(after, changes) == after


def rows(*names: str, **changed: int) -> list[dict[str, Any]]:
    return [{"public_id": name, "watching": changed.get(name, 0)} for name in names]


def test_changed_rows_are_new_ones_different_ones_and_keys_of_those_that_are_gone() -> None:
    before = {"duel": rows("a", "b", "c", "d"), "agora": rows("e")}
    after = {"duel": rows("f", "b", "c", c=1), "agora": rows("e")}
    new, _, different = after["duel"]
    wanted = {"gone": ["a", "d"], "rows": [[0, new], [2, different]]}
    assert changed_rows(before, after) == {"duel": wanted}
    assert changed_rows(after, after) == {}


def test_rows_in_another_order_are_sent_with_all_their_places() -> None:
    changes = changed_rows({"duel": rows("a", "b", "c")}, {"duel": rows("c", "a", "b")})
    assert [place for place, _ in changes["duel"]["rows"]] == [0, 1, 2]
