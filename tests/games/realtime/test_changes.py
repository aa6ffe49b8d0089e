"""Changed rows and parts: what was shown and the changes make what is shown, in any sequence."""

from itertools import pairwise
from typing import Any
from unittest import mock

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from games.realtime import view_socket
from games.realtime.changes import changed_parts, changed_rows
from games.realtime.view_socket import FlowControl
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


NOW = "2026-11-22T12:00:00.000Z"
VALUE = st.none() | st.integers(0, 2) | st.lists(st.integers(0, 2), max_size=2)
VIEW = st.fixed_dictionaries({"phase": st.integers(0, 2), "you": VALUE, "game": VALUE})
#: A view to show, a frame that the client loses, or a heartbeat.
STEPS = st.lists(VIEW | st.sampled_from(["lose", "seen"]), max_size=12)


class Client:
    """A client that gets parts, and may lose the next frame."""

    def __init__(self) -> None:
        self.flow, self.loses = FlowControl(), False
        self.flow.gives_parts = True
        self.view, self.revision = {}, 0

    def hear(self, text: str | None) -> None:
        if text is None:
            return
        if self.loses:
            self.loses = False
            return
        frame = msgspec.json.decode(text)
        if frame["type"] == "view":
            self.view = frame["view"]
        elif frame["revision"] == self.revision + 1:
            assert all(self.view[key] != value for key, value in frame["parts"].items())
            self.view |= frame["parts"]
        else:
            assert self.flow.is_behind(self.revision)
            self.hear(self.flow.again(NOW))
            return
        self.revision = frame["revision"]

    def catch_up(self) -> None:
        """Say what was seen, and ask for what is missing."""
        self.hear(self.flow.seen(self.flow._revision, NOW))
        if self.flow.is_behind(self.revision):
            self.hear(self.flow.again(NOW))


@settings(max_examples=form(50, in_all=300, in_long=3_000))
@given(STEPS)
def test_a_view_and_its_parts_make_the_next_view_though_some_are_lost(
    steps: Any,
) -> None:
    with mock.patch.object(view_socket, "UNSEEN_VIEWS", 4):
        client, last = Client(), {}
        for step in steps:
            if step == "lose":
                client.loses = True
            elif step == "seen":
                client.catch_up()
            else:
                client.hear(client.flow.offer(msgspec.json.encode(step, order="sorted"), NOW))
                last = step
        client.loses = False
        client.catch_up()
        client.catch_up()
        assert client.view == last


@settings(max_examples=form(50, in_all=300, in_long=3_000))
@given(st.lists(VIEW, max_size=12))
def test_a_part_comes_when_a_whole_view_would_and_tells_the_keys_that_differ(views: Any) -> None:
    """A viewer whose view stays the same gets nothing, so that nothing tells what others see."""
    plain, asked = FlowControl(), FlowControl()
    asked.gives_parts = True
    before: dict[str, Any] = {}
    for view in views:
        encoded = msgspec.json.encode(view, order="sorted")
        whole, frame = plain.offer(encoded, NOW), asked.offer(encoded, NOW)
        assert (whole is None) == (frame is None) == (view == before)
        differing = {key: value for key, value in view.items() if before.get(key, ...) != value}
        if frame is not None and len(differing) < len(view):
            assert msgspec.json.decode(frame)["parts"] == differing
        else:
            assert frame == whole
        before = view


def test_parts_are_whole_keys_and_none_of_them_stands_for_another_view() -> None:
    view = b'{"log":[1,2],"you":{"seat":0,"may":[]},"game":null}'
    other = b'{"log":[1,2],"you":{"seat":0,"may":["call"]},"game":null}'
    assert changed_parts(view, other) == b'{"you":{"seat":0,"may":["call"]}}'
    # Of another practice table, or with other keys.
    assert changed_parts(view, b'{"log":[],"you":null,"game":{}}') is None
    assert changed_parts(view, b'{"log":[1,2],"you":{"seat":0,"may":[]}}') is None
