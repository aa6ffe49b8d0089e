"""The envelope by itself: the standard's own examples, and everything that is malformed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.duel.rpc.answers import Answers
from games.duel.rpc.envelope import Call, Invalid, notification, read_message, write
from games.duel.rpc.errors import METHOD_NOT_FOUND, Problem, standard
from games.duel.rpc.parameters import SEAT, TEXT, Parameter, bind


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
    '{"jsonrpc":"2.0","method":"a","id":1,"id":2}',
    '{"jsonrpc":"2.0","method":"a","params":{"n":1,"n":2},"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[NaN],"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[Infinity],"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[1e999],"id":1}',
    '{"jsonrpc":"2.0","method":"a","params":[%s],"id":1}' % ("9" * 5000),
    "[" * 4000,
    '{"jsonrpc":"2.0","method":"a","params":[[[[[[[[]]]]]]]],"id":1}',
    '{"jsonrpc":"2.0","method":"\\ud800","id":1}',
    '{"jsonrpc":"2.0","method":"a","id":"\\udfff"}',
    '"' + "x" * 9000 + '"',
    '{"a":1} {"b":2}',
    "\ufeff{}",
]


@pytest.mark.parametrize("text", PARSE_ERRORS, ids=range(len(PARSE_ERRORS)))
def test_rpc_what_is_not_strict_json_is_a_parse_error(text):
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


@pytest.mark.parametrize("call_id", ["7", '"x"', "null", "-1", "1.5", "0", '""', "9" * 40])
def test_rpc_ids_are_echoed_as_they_came(call_id):
    answer = answered(f'{{"jsonrpc":"2.0","method":"a","id":{call_id}}}', a=1)
    assert answer == {"jsonrpc": "2.0", "result": 1, "id": json.loads(call_id)}


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
    answers.done(0)("first once more")
    assert [one["result"] for one in json.loads(sent[0])] == ["first", "second"]


def test_rpc_unknown_words_come_back_in_no_error():
    """What a client sends is not sent back in words: nothing can be made to show it."""
    text = '{"jsonrpc":"2.0","method":"<script>","params":{"<b>":1},"id":1}'
    assert "<" not in json.dumps(answered(text))


def test_rpc_a_notification_without_parameters_has_none():
    assert notification("start_game") == {"jsonrpc": "2.0", "method": "start_game"}
    assert notification("best_of", None, 3)["params"] == [None, 3]
    assert write({"a": "é"}) == '{"a":"é"}'
    assert read_message(write(notification("x", 1))).elements == (Call("x", [1], None, True),)


PARAMETERS = (
    Parameter("hand", "which", TEXT),
    Parameter("seat", "where", SEAT, required=False),
)


@pytest.mark.parametrize("params", [["r", 1], {"hand": "r", "seat": 1}, {"seat": 1, "hand": "r"}])
def test_rpc_parameters_are_given_by_position_or_by_name(params):
    assert bind(PARAMETERS, params) == {"hand": "r", "seat": 1}


@pytest.mark.parametrize(
    "params",
    [
        *([], {}, None, [1], ["r", 2], ["r", True], ["r", 1.0], ["r", "1"], ["r", None]),
        *(["r", 1, 2], {"hand": "r", "where": 1}, {"seat": 1}, [["r"]], [None]),
    ],
)
def test_rpc_wrong_parameters_are_invalid(params):
    with pytest.raises(Problem) as problem:
        bind(PARAMETERS, params)
    assert problem.value.code == -32602
