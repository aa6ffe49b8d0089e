"""Cases 10 and 12 to 25, 32 and 33: what a frame may not hold, and its exact answer."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine.input import clean_text
from games.realtime import protocol
from tests.hostile.kit import ID, Door, frame, nothing_moves

pytestmark = pytest.mark.django_db


@pytest.fixture
def door() -> Iterator[Door]:
    """A running table at which nothing may have moved when the test is over."""
    opened = Door()
    with nothing_moves():
        yield opened


def refusal_of(sent: Any) -> protocol.MalformedFrame:
    """Return how what is malformed, a text or a map, is refused before anybody looks at it."""
    text = sent if isinstance(sent, str | bytes) else json.dumps(sent)
    with pytest.raises(protocol.MalformedFrame) as refusal:
        protocol.parse(text)
    return refusal.value


@pytest.mark.parametrize("key", ["seat", "user", "ts", "due", "due_at", "now", "at"])
def test_hostile_10_32_no_frame_says_who_acts_or_when(door: Door, key: str) -> None:
    for value in (0, 1, "2020-01-01T00:00:00Z"):
        assert door.send(frame(**{key: value})) == "bad_field"
        assert door.send(frame(action={"kind": "call", key: value})) == "bad_field"


@pytest.mark.parametrize(
    "amount", [0, True, 1.0, "5", None, 1e3, 9007199254740993, 10**30, -1, -50, -(10**30)]
)
def test_hostile_12_13_a_number_is_a_whole_number_in_range(door: Door, amount: Any) -> None:
    assert door.send(frame(action={"kind": "raise_by", "amount": amount})) == "bad_field"
    # Of the phases 0 is one, though not the one that is on.
    is_phase = type(amount) is int and amount == 0
    assert door.send(frame(phase=amount)) == ("stale" if is_phase else "bad_field")


def test_hostile_14_an_endless_number(door: Door) -> None:
    text = json.dumps(frame())
    assert door.send(text.replace("3}", "9" * 5000 + "}")) == "bad_json"
    assert door.send(text.replace("7,", "9" * 5000 + ",")) == "bad_json"
    assert door.send(text.replace("3}", "9" * 65 + "}")) == "bad_field"


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_hostile_15_not_a_number(door: Door, literal: str) -> None:
    assert door.send(json.dumps(frame()).replace("3}", literal + "}")) == "bad_json"


@pytest.mark.plain
def test_hostile_16_of_a_repeated_key_the_last_counts() -> None:
    """Typed reading needs no further check (decision 38): the decoder checks what it reads."""
    text = '{"type":"seen","revision":1,"revision":99}'
    assert protocol.parse(text) == protocol.Seen(99)
    assert protocol.parse(text.replace("revision", r"revisio\u006e", 1)) == protocol.Seen(99)
    text = f'{{"id":"{ID}","type":"act","phase":1,"action":{{"kind":"x","n":1,"n":99}}}}'
    assert protocol.parse(text) == protocol.Act(ID, 1, {"kind": "x", "n": 99})
    assert refusal_of('{"type":"seen","revision":1,"type":"act"}').code == "bad_type"
    assert refusal_of('{"type":"seen","revision":-1,"revision":1}').code == "bad_field"
    door = Door()
    with nothing_moves():
        text = json.dumps(frame(phase=door.kit.row.phase))
        assert door.send(text.replace("3}", '3,"amount":-3}')) == "bad_field"


@pytest.mark.parametrize(
    "text", ["[" * 4000, '{"a":' * 1500, '"' + r"\"" * 4000, '["\\"[",' * 1000]
)
def test_hostile_17_a_depth_bomb(door: Door, text: str) -> None:
    assert door.send(text) == "bad_json"


@pytest.mark.parametrize(("depth", "code"), [(8, "bad_field"), (1000, "bad_json")])
def test_hostile_17_an_action_is_not_deep(door: Door, depth: int, code: str) -> None:
    deep = "[" * depth + "]" * depth
    assert door.send(json.dumps(frame()).replace("3}", f'3,"x":{deep}}}')) == code


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        *(
            (text, "bad_json")
            for text in ("", " ", "hello", "{", "{'a':1}", '{"a":1}x', "\ufeff{}")
        ),
        *((text, "bad_envelope") for text in ("[]", "1", '"act"', "null", "true", "[1,2]", "{}")),
        (json.dumps(frame()).encode(), "bad_json"),
        (b"\x00\xff", "bad_json"),
    ],
)
def test_hostile_18_no_frame_at_all(door: Door, sent: str | bytes, code: str) -> None:
    assert door.send(sent) == code


@pytest.mark.parametrize("padding", [" " * 8192, "é" * 4096])
def test_hostile_19_a_frame_over_8192_bytes(door: Door, padding: str) -> None:
    """The servers close with 1009 before; who comes by another one is refused here."""
    assert door.send(json.dumps(frame()) + padding) == "too_big"


@pytest.mark.parametrize("text", [r"\ud800", r"a\u0000", r"\udc00\ud800", r"x\ud83dx"])
def test_hostile_21_half_characters_and_nul(door: Door, text: str) -> None:
    for kind in ('say","room":"table', "command"):
        refusal = refusal_of(f'{{"id":"{ID}","type":"{kind}","text":"{text}"}}')
        assert (refusal.code, refusal.id) == ("bad_field", ID)
    start = f'{{"id":"{ID}","type":"act","phase":1,"action":'
    assert door.send(f'{start}{{"kind":"{text}"}}}}') == "bad_field"
    assert door.send(f'{start}{{"kind":"x","{text}":1}}}}') == "bad_field"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\u202eabc", "abc"),
        ("a\u200bb\u200dc\ufeff", "abc"),
        ("\u2066a\u2069", "a"),
        ("a\r\nb\u2028c\u00a0d", "a b c d"),
        ("a\x07b\x1b[0m", "ab[0m"),
        ("🎩 ok", "🎩 ok"),
    ],
)
def test_hostile_21_format_characters_are_stripped(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned
    said = protocol.parse(json.dumps({"id": ID, "type": "say", "room": "table", "text": text}))
    assert said == protocol.Say(ID, "table", cleaned)


@pytest.mark.parametrize("name", ["__class__", "view", "ACT", "", 5, None, ["act"]])
def test_hostile_22_only_four_types_exist(door: Door, name: Any) -> None:
    sent = frame(type=name)
    refusal = refusal_of(sent)
    assert (refusal.code, refusal.id) == ("bad_type", sent["id"])
    assert door.send(frame(v=2)) == "bad_envelope"


def test_hostile_24_25_a_frame_has_one_effect_and_its_id_no_other_body() -> None:
    door = Door()
    sent = frame()
    assert door.send(sent) == "ack"
    # As it was sent, with the phase that was on then.
    again = {**sent, "phase": door.kit.row.phase}
    with nothing_moves():
        assert [door.send(again) for _ in range(3)] == ["repeated"] * 3
        other = {**sent, "action": {"kind": "raise_by", "amount": 4}}
        assert [door.send(other) for _ in range(2)] == ["conflict"] * 2
        assert door.send({**sent, "action": {"kind": "fold"}}) == "conflict"


@pytest.mark.parametrize(
    "name",
    [
        "game.event", "websocket.close", "hint", "m",
        "settle", "reveal", "next_phase", "deadline", "void",
    ],
)  # fmt: skip
def test_hostile_23_33_nobody_speaks_for_the_bus_or_the_house(door: Door, name: str) -> None:
    assert door.send(frame(type=name)) == "bad_type"
    # Nor as an action: those of the house have no place among the seats'.
    assert door.send(frame(action={"kind": name})) == "bad_field"
