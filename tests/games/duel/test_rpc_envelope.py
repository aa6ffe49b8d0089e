"""The envelope alone: the standard's examples, and malformed requests."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from games.duel.rpc import Seat
from games.jsonrpc.answers import Answers
from games.jsonrpc.envelope import LARGEST_BATCH, Call, Invalid, notification, read_message
from games.jsonrpc.errors import METHOD_NOT_FOUND, Problem, standard
from games.jsonrpc.parameters import Move, bind
from games.realtime.protocol import write
from tests.forms import form
from tests.games.struct_strategies import well_formed


def answered(text: str | bytes, **results: Any) -> Any:
    """Answer a message as a server with these methods would."""
    try:
        message = read_message(text)
    except Problem as problem:
        return ("whole", problem.code)
    sent: list[str] = []
    answers = Answers(message, sent.append)
    for number, element in enumerate(message.elements):
        if isinstance(element, Invalid):
            answers.done(number)(element.problem)
        elif element.method in results:
            answers.done(number)(results[element.method])
        else:
            answers.done(number)(standard(METHOD_NOT_FOUND))
    assert len(sent) <= 1
    return json.loads(sent[0]) if sent else None


def codes(answer: Any) -> Any:
    """Return (id, code or "ok") of each answer."""
    many = answer if isinstance(answer, list) else [answer]
    return [(one["id"], one["error"]["code"] if "error" in one else "ok") for one in many]


PARSE_ERRORS = [
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    '[{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method"',
    "",
    " ",
    "nonsense",
    b'{"jsonrpc":"2.0","method":"a","id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[NaN],"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[Infinity],"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[1e999],"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[%s],"id":1}' % ("9" * 5000),
    "[" * 4000,
    '{"jsonrpc":"2.0","method":"\\ud800","id":1}',
    '{"jsonrpc":"2.0","method":"a","id":"\\udfff"}',
    '"' + "x" * 9000 + '"',
    '{"a":1} {"b":2}',
    "\ufeff{}",
    '{"jsonrpc":"2.0","method":"a","id":1}' + " " * 8192,
    '{"jsonrpc":"2.0","method":"' + "é" * 4096 + '"}',
]


@pytest.mark.parametrize("text", PARSE_ERRORS, ids=range(len(PARSE_ERRORS)))
def test_rpc_what_is_not_json_is_a_parse_error(text):
    assert answered(text) == ("whole", -32700)


INVALID = [
    ("1", None),
    ("null", None),
    ('"text"', None),
    ("true", None),
    ("{}", None),
    ('{"jsonrpc":"2.0"}', None),
    ('{"jsonrpc":"2.0","method":1,"params":"bar"}', None),
    ('{"jsonrpc":"2.0","method":"a","params":"bar","id":3}', 3),
    ('{"jsonrpc":"2.0","method":"a","params":null,"id":3}', 3),
    ('{"jsonrpc":"2.0","method":"a","params":1,"id":3}', 3),
    ('{"jsonrpc":"1.0","method":"a","id":4}', 4),
    ('{"jsonrpc":2.0,"method":"a","id":4}', 4),
    ('{"method":"a","id":"five"}', "five"),
    ('{"jsonrpc":"2.0","method":["a"],"id":6}', 6),
    ('{"jsonrpc":"2.0","method":"a","id":true}', None),
    ('{"jsonrpc":"2.0","method":"a","id":[1]}', None),
    ('{"jsonrpc":"2.0","method":"a","id":{}}', None),
    ('{"jsonrpc":"2.0","method":"a","id":7,"user":3}', 7),
    ('{"jsonrpc":"2.0","result":1,"id":8}', 8),
    ('{"jsonrpc":"2.0","method":"a","id":"%s"}' % ("x" * 65), None),
    ('{"jsonrpc":"2.0","method":"a","id":"%s"}' % ("x" * 8000), None),
    ('{"jsonrpc":"2.0","method":5,"id":"%s"}' % ("x" * 8000), None),
    ('{"jsonrpc":"2.0","method":"a","id":9007199254740993}', None),
    ('{"jsonrpc":"2.0","method":"a","id":-%s}' % ("9" * 4000), None),
]


@pytest.mark.parametrize(("text", "call_id"), INVALID)
def test_rpc_what_is_no_request_is_invalid_and_has_its_id_where_one_can_be_read(text, call_id):
    assert codes(answered(text)) == [(call_id, -32600)]


@pytest.mark.parametrize("text", ["[]", "[" + ",".join(["1"] * 21) + "]"])
def test_rpc_empty_and_endless_batches_are_invalid_as_a_whole(text):
    assert answered(text) == ("whole", -32600)


@pytest.mark.parametrize(("count", "sizes"), [(1, 1), (3, 3), (20, 20)])
def test_rpc_each_invalid_element_of_a_batch_has_an_answer_of_its_own(count, sizes):
    assert codes(answered("[" + ",".join(["1"] * count) + "]")) == [(None, -32600)] * sizes


def test_rpc_the_standards_mixed_batch():
    """The example of the specification, element by element."""
    text = """[
        {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
        {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]"""
    answer = answered(text, sum=7, subtract=19, get_data=["hello", 5], notify_hello=None)
    assert codes(answer) == [
        ("1", "ok"),
        ("2", "ok"),
        (None, -32600),
        ("5", -32601),
        ("9", "ok"),
    ]
    assert [one.get("result") for one in answer] == [7, 19, None, None, ["hello", 5]]


def test_rpc_notifications_are_never_answered_not_even_with_an_error():
    assert answered('{"jsonrpc":"2.0","method":"nobody_knows"}') is None
    batch = '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"nobody_knows"}]'
    assert answered(batch, a=1) is None


@pytest.mark.parametrize(
    "call_id",
    [*("7", '"x"', "null", "-1", "1.5", "0", '""', "-9007199254740992"), '"%s"' % ("é" * 64)],
)
def test_rpc_ids_are_echoed_as_they_came(call_id):
    answer = answered(f'{{"jsonrpc":"2.0","method":"a","id":{call_id}}}', a=1)
    assert answer == {"jsonrpc": "2.0", "result": 1, "id": json.loads(call_id)}


def test_rpc_of_a_repeated_member_the_last_counts():
    text = '{"jsonrpc":"2.0","method":"a","id":1,"id":2,"method":"b","params":{"n":1,"n":2}}'
    assert read_message(text).elements == (Call("b", {"n": 2}, 2, jsonrpc="2.0"),)


def test_rpc_two_calls_with_one_id_have_two_answers():
    batch = '[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":1}]'
    assert codes(answered(batch, a=1)) == [(1, "ok"), (1, -32601)]


def test_rpc_answers_wait_for_the_last_and_keep_the_order():
    message = read_message(
        '[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2}]'
    )
    sent: list[str] = []
    answers = Answers(message, sent.append)
    answers.done(1)("second")
    assert sent == []
    answers.done(0)("first")
    answers.done(0)("first again")
    assert [one["result"] for one in json.loads(sent[0])] == ["first", "second"]


def test_rpc_unknown_words_come_back_in_no_error():
    """Error messages never repeat a client's text, so that they cannot show it to others."""
    text = '{"jsonrpc":"2.0","method":"<script>","params":{"<b>":1},"id":1}'
    assert "<" not in json.dumps(answered(text))


def test_rpc_a_notification_without_parameters_has_none():
    assert notification("start_game") == {"jsonrpc": "2.0", "method": "start_game"}
    assert notification("best_of", None, 3)["params"] == [None, 3]
    assert write({"a": "é"}) == '{"a":"é"}'
    (call,) = read_message(write(notification("x", 1))).elements
    assert call == Call("x", [1], jsonrpc="2.0")
    assert call.is_notification


class HandAndSeat(Move, frozen=True):
    """A text that must be there, a seat that may be."""

    hand: str
    seat: Seat | UnsetType = UNSET


@pytest.mark.parametrize("params", [["r", 1], {"hand": "r", "seat": 1}, {"seat": 1, "hand": "r"}])
def test_rpc_parameters_are_given_by_position_or_by_name(params):
    assert bind(HandAndSeat, params) == HandAndSeat("r", 1)
    assert bind(HandAndSeat, ["r"]) == HandAndSeat("r")


def test_rpc_an_action_id_is_given_by_name_only():
    given = {"hand": "r", "action_id": "12345678"}
    assert bind(HandAndSeat, given) == HandAndSeat("r", action_id="12345678")
    with pytest.raises(Problem):
        bind(HandAndSeat, ["r", 1, "12345678"])


@pytest.mark.parametrize(
    "params",
    [
        *([], {}, UNSET, [1], ["r", 2], ["r", True], ["r", 1.0], ["r", "1"], ["r", None]),
        *(["r", 1, 2], {"hand": "r", "where": 1}, {"seat": 1}, [["r"]], [None]),
        *(["r\0"], {"hand": "r", "action_id": "short"}, {"hand": "r", "action_id": "12345678\n"}),
        {"hand": "r", "action_id": None},
    ],
)
def test_rpc_wrong_parameters_are_invalid(params):
    with pytest.raises(Problem) as problem:
        bind(HandAndSeat, params)
    assert problem.value.code == -32602


# Fuzz -------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=80),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["jsonrpc", "method", "params", "id", "x"]), inner)
    ),
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
def test_rpc_fuzz_whatever_comes_there_is_a_message_or_one_problem(text):
    try:
        message = read_message(text)
    except Problem as problem:
        whole = problem.code
        assert whole in (-32700, -32600)
    else:
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
