import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from games.jsonrpc.envelope import (
    LARGEST_BATCH,
    Call,
    Done,
    carry_out,
    notification,
    read_message,
)
from games.jsonrpc.generated import interface_of
from games.jsonrpc.interface import HTTP, Method, Nothing
from games.realtime.protocol import write
from tests.forms import form
from tests.games.struct_strategies import well_formed


class Later:
    """A program whose calls are done when a test says so."""

    interface, where, origin = interface_of("duel"), HTTP, ""

    def __init__(self) -> None:
        self.calls: list[Done] = []

    def call(self, method: Method, arguments: Nothing, done: Done) -> None:
        self.calls.append(done)


def answered(text: str | bytes) -> Any:
    """Return the answers to a text of which no call is carried out."""
    sent: list[str] = []
    carry_out(read_message(text), caller := Later(), sent.append)
    for done in caller.calls:
        done(None)
    assert len(sent) <= 1
    return json.loads(sent[0]) if sent else None


@pytest.mark.parametrize(
    "text",
    [
        b'{"jsonrpc":"2.0","method":"a","id":1}',
        '"' + "x" * 9000 + '"',
        '{"jsonrpc":"2.0","method":"a","id":1}' + " " * 8192,
        '{"jsonrpc":"2.0","method":"' + "é" * 4096 + '"}',
    ],
    ids=["bytes", "long text", "long end", "long in bytes"],
)
def test_rpc_bytes_and_what_is_too_long_are_parse_errors(text):
    answer = answered(text)
    assert (answer["error"]["code"], answer["id"]) == (-32700, None)


def test_rpc_answers_wait_for_the_last_and_keep_the_order() -> None:
    call = {"jsonrpc": "2.0", "method": "server_time", "id": 1}
    sent: list[str] = []
    carry_out(read_message(json.dumps([call] * 2)), caller := Later(), sent.append)
    first, second = caller.calls
    second("second")
    second("second again")
    assert sent == []
    first("first")
    first("first again")
    assert [one["result"] for one in json.loads(sent[0])] == ["first", "second"]
    # Error messages never repeat a client's text, so that they cannot show it to others.
    text = '{"jsonrpc":"2.0","method":"<script>","params":{"<b>":1},"id":1}'
    assert "<" not in json.dumps(answered(text))


def test_rpc_a_notification_without_parameters_has_none() -> None:
    assert notification("start_game") == {"jsonrpc": "2.0", "method": "start_game"}
    assert notification("best_of", None, 3)["params"] == [None, 3]
    assert write({"a": "é"}) == '{"a":"é"}'
    (call,) = read_message(write(notification("x", 1))).elements
    assert (call, call.id) == (Call("x", [1], jsonrpc="2.0"), UNSET)


NAMES = st.sampled_from(["jsonrpc", "method", "params", "id", "x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner),
    max_leaves=12,
)
ALMOST = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | JSON, "method": st.text(max_size=9) | JSON},
    optional={"params": JSON, "id": JSON, "x": JSON},
)


@settings(max_examples=form(100, in_all=200, in_long=300), deadline=None)
@given(
    st.text()
    | st.binary()
    | st.text(alphabet='{}[]",:\\ue10-.NaNjsonrpc')
    | JSON.map(json.dumps)
    | st.lists(ALMOST, max_size=22).map(json.dumps)
)
def test_rpc_fuzz_whatever_comes_there_is_a_message(text):
    message = read_message(text)
    assert 1 <= len(message.elements) <= LARGEST_BATCH
    answers = answered(text)
    for one in [answers] if isinstance(answers, dict) else answers or []:
        assert len(json.dumps(one["id"], ensure_ascii=False)) <= 2 * 64 + 2


@settings(max_examples=form(60, in_all=120, in_long=200), deadline=None)
@given(well_formed(Call))
def test_rpc_fuzz_a_call_is_read_as_it_was_written(call):
    plain = json.loads(write(call))
    assert read_message(json.dumps(plain)).elements == (call,)
    assert read_message(json.dumps([plain] * 3)).elements == (call,) * 3
