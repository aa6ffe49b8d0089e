import json
from collections.abc import Iterator
from typing import Any

import pytest

from economy.texts import clean_text
from games.realtime import protocol
from tests.hostile.kit import ID, Door, frame, nothing_moves

pytestmark = pytest.mark.django_db


@pytest.fixture
def door() -> Iterator[Door]:
    """A running table at which nothing may have moved when the test is over."""
    opened = Door()
    with nothing_moves():
        yield opened


def refusal_of(sent: Any) -> tuple[str, str | None]:
    """Return code and id of how what is malformed is refused before anybody looks at it."""
    with pytest.raises(protocol.MalformedFrame) as refusal:
        protocol.parse(sent if isinstance(sent, str | bytes) else json.dumps(sent))
    return refusal.value.code, refusal.value.id


def test_hostile_10_32_no_frame_says_who_acts_or_when(door: Door) -> None:
    for key in ("seat", "user", "ts", "due", "due_at", "now", "at"):
        for value in (0, 1, "2020-01-01T00:00:00Z"):
            assert door.send(frame(**{key: value})) == "bad_field", key
            assert door.send(frame(action={"kind": "call", key: value})) == "bad_field", key


def test_hostile_12_13_a_number_is_a_whole_number_in_range(door: Door) -> None:
    numbers = (True, 1.0, "5", None, 1e3, 9007199254740993, 10**30, -1, -50, -(10**30))
    for amount in (0, *numbers):
        assert door.send(frame(action={"kind": "raise_by", "amount": amount})) == "bad_field"
    assert [door.send(frame(phase=number)) for number in numbers] == ["bad_field"] * 10
    # Of the phases 0 is one, though not the one that is on.
    assert door.send(frame(phase=0)) == "stale"


def raised(amount: str) -> str:
    return json.dumps(frame()).replace("3}", amount + "}")


MALFORMED: dict[str, tuple[str, list[str | bytes]]] = {
    "14 a number of 5,000 digits": (
        "bad_json", [raised("9" * 5000), json.dumps(frame()).replace("7,", "9" * 5000 + ",")],
    ),
    "14 a number of some dozens": ("bad_field", [raised("9" * 65)]),
    "15 no number": (
        "bad_json", [raised(each) for each in ("NaN", "Infinity", "-Infinity", "1e400", "-1e400")],
    ),
    "17 a depth bomb": (
        "bad_json",
        ["[" * 4000, '{"a":' * 1500, '"' + r"\"" * 4000, '["\\"[",' * 1000,
         raised(f'3,"x":{"[" * 1000 + "]" * 1000}')],
    ),
    "17 a deep action": ("bad_field", [raised(f'3,"x":{"[" * 8 + "]" * 8}')]),
    "18 no JSON": (
        "bad_json",
        ["", " ", "hello", "{", "{'a':1}", '{"a":1}x', "\ufeff{}", raised("3").encode(),
         b"\x00\xff"],
    ),
    "18 no object": ("bad_envelope", ["[]", "1", '"act"', "null", "true", "[1,2]", "{}"]),
    # The servers close with 1009 before; who comes by another one is refused here.
    "19 over 8,192 bytes": ("too_big", [raised("3") + " " * 8192, raised("3") + "é" * 4096]),
    "22 a version": ("bad_envelope", [json.dumps(frame(v=2))]),
}  # fmt: skip


@pytest.mark.parametrize(("code", "texts"), MALFORMED.values(), ids=MALFORMED)
def test_hostile_14_15_17_18_19_what_is_no_frame_is_refused(door: Door, code: str, texts) -> None:
    for text in texts:
        assert door.send(text) == code, text[:100]


@pytest.mark.plain
def test_hostile_16_of_a_repeated_key_the_last_counts(door: Door) -> None:
    """Typed reading needs no further check (decision 38): the decoder checks what it reads."""
    text = '{"type":"seen","revision":1,"revision":99}'
    assert protocol.parse(text) == protocol.Seen(99)
    assert protocol.parse(text.replace("revision", r"revisio\u006e", 1)) == protocol.Seen(99)
    text = f'{{"id":"{ID}","type":"act","phase":1,"action":{{"kind":"x","n":1,"n":99}}}}'
    assert protocol.parse(text) == protocol.Act(ID, 1, {"kind": "x", "n": 99})
    assert refusal_of('{"type":"seen","revision":1,"type":"act"}')[0] == "bad_type"
    assert refusal_of('{"type":"seen","revision":-1,"revision":1}')[0] == "bad_field"
    text = json.dumps(frame(phase=door.kit.row.phase))
    assert door.send(text.replace("3}", '3,"amount":-3}')) == "bad_field"


def test_hostile_21_half_characters_and_turned_texts_are_refused_and_format_ones_stripped(
    door: Door,
) -> None:
    for text in (r"\ud800", r"a\u0000", r"\udc00\ud800", r"x\ud83dx"):
        for kind in ('say","room":"table', "command"):
            sent = f'{{"id":"{ID}","type":"{kind}","text":"{text}"}}'
            assert refusal_of(sent) == ("bad_field", ID)
        for action in (f'{{"kind":"{text}"}}', f'{{"kind":"x","{text}":1}}'):
            sent = f'{{"id":"{ID}","type":"act","phase":1,"action":{action}}}'
            assert door.send(sent) == "bad_field"
    for text, cleaned in (
        ("a\u200bb\u200dc\ufeff", "abc"), ("\u2066a\u2069", "a"),
        ("a\r\nb\u2028c\u00a0d", "a b c d"), ("a\x07b\x1b[0m", "ab[0m"), ("🎩 ok", "🎩 ok"),
    ):  # fmt: skip
        assert clean_text(text) == cleaned
        said = protocol.parse(json.dumps({"id": ID, "type": "say", "room": "table", "text": text}))
        assert said == protocol.Say(ID, "table", cleaned)
    for text in ("\u202eabc", "abc\u202d", "\u200b", "\u3164", "a" + 60 * "\u0301"):
        sent = {"id": ID, "type": "say", "room": "table", "text": text}
        assert refusal_of(json.dumps(sent)) == ("bad_field", ID)


def test_hostile_22_23_33_only_four_types_exist_none_of_the_bus_or_house(door: Door) -> None:
    of_bus = ("game.event", "websocket.close", "hint", "m")
    of_house = ("settle", "reveal", "next_phase", "deadline", "void")
    for name in ("__class__", "view", "ACT", "", 5, None, ["act"], *of_bus, *of_house):
        sent = frame(type=name)
        assert refusal_of(sent) == ("bad_type", sent["id"])
    for name in (*of_bus, *of_house):
        assert door.send(frame(type=name)) == "bad_type"
        # Nor as an action: those of the house have no place among the seats'.
        assert door.send(frame(action={"kind": name})) == "bad_field"


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
