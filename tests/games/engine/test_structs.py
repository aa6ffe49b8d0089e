"""Typed values, their text and traps.  Source: docs/explanation/decisions/ "Structs"."""

import json
import subprocess
import sys
import traceback
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from games.engine.errors import BadField
from games.engine.structs import (
    LARGEST,
    SECRET,
    Amount,
    BadText,
    Hidden,
    Kinded,
    Reader,
    Record,
    SeatGiven,
    Whole,
    canonical,
    field_of,
    kind_of,
    named,
    plain,
    reader_of,
    replace,
    require_readable,
    snake_case,
)
from tests.games.classified import secret_fields

ROOT = Path(__file__).parents[3]


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Card(Record, frozen=True):
    colour: Colour
    number: Annotated[int, Meta(ge=1, le=9)] = 1


class PlayCard(Kinded, frozen=True):
    seat: SeatGiven
    amount: Amount = 1
    card: Card | None = None
    name: Annotated[str, Meta(pattern=r"\A[a-z]{1,8}\Z")] = "a"
    text: str = ""
    counts: tuple[Whole, ...] = ()


class FoldAll(Kinded, frozen=True):
    """An action without fields."""


class Held(Hidden, frozen=True):
    seat: int
    card: Annotated[Card | None, SECRET] = None
    seed: Annotated[str, SECRET] = ""


BOTH: Reader[PlayCard | FoldAll] = Reader(PlayCard | FoldAll)
ONE: Reader[PlayCard] = Reader(PlayCard)


def test_structs_kinds_are_their_classes_names_and_a_type_has_one_reader() -> None:
    assert kind_of(FoldAll) == FoldAll().kind == "fold_all"
    assert (snake_case("A"), canonical(FoldAll())) == ("a", '{"kind":"fold_all"}')
    for kind in (PlayCard, PlayCard | FoldAll):
        assert reader_of(kind) is reader_of(kind)


def test_structs_text_is_sorted_utf8_and_comes_back() -> None:
    value = PlayCard(3, card=Card(Colour.RED), text="é\u2028", counts=(2, 1))
    text = canonical(value)
    assert text == (
        '{"amount":1,"card":{"colour":"red","number":1},"counts":[2,1],"kind":"play_card",'
        '"name":"a","seat":3,"text":"é\u2028"}'
    )
    for reader in (BOTH, ONE):
        assert (
            reader.stored(text) == reader.given(text) == reader.made_of(json.loads(text)) == value
        )
    assert plain(value) == json.loads(text)
    read = BOTH.stored('{"kind":"play_card","seat":0,"card":{"colour":"blue"}}')
    assert read.card.colour == Colour.BLUE == "blue", "enums are compared by value"


def test_structs_plain_values_are_those_of_the_text() -> None:
    red = {"colour": "red", "number": 1}
    assert plain({"b": (1, Colour.BLUE), "a": Card(Colour.RED)}) == {"a": red, "b": [1, "blue"]}
    assert type(plain((1,))) is list
    assert type(plain({"a": Colour.RED})["a"]) is str


@pytest.mark.parametrize("value", [{1: 2}, {"a": {2: 1}}, [{None: 1}], object()])
def test_structs_what_has_a_key_that_is_no_text_or_is_no_value_has_no_text(value: object) -> None:
    """Seats are lists or pairs, never keys."""
    with pytest.raises(TypeError):
        canonical(value)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "seat"),
    *(({"seat": seat}, "seat") for seat in (None, True, "1", 1.0, 1.5, -1, 1000, [1])),
    *(({"seat": 1, "amount": amount}, "amount") for amount in (0, 10**9 + 1, 2**64)),
    *(({"seat": 1, "counts": counts}, "counts") for counts in ([1, 2**53 + 1], {"0": 1})),
    ({"seat": 1, "card": {"colour": "green"}}, "colour"),
    ({"seat": 1, "card": {"colour": "red", "number": 10}}, "number"),
    ({"seat": 1, "card": {"colour": "red", "suit": 1}}, "suit"),
    ({"seat": 1, "card": {}}, "colour"),
    *(({"seat": 1, "name": name}, "name") for name in ("abc\n", "")),
    *(({"seat": 1, "text": 5}, "text"), ({"seat": 1, "text": "a\0b"}, "")),
    ({"seat": 1, "user": 7}, "user"),
    *(({"seat": 1, name: 7}, "") for name in ("not a name", "x" * 41)),
]


@pytest.mark.parametrize(("fields", "field"), WRONG)
def test_structs_what_is_wrong_is_named(fields: dict[str, Any], field: str) -> None:
    raw = {"kind": "play_card", **fields}
    for read, value in ((BOTH.made_of, raw), (BOTH.given, json.dumps(raw)), (ONE.made_of, raw)):
        with pytest.raises(BadField) as refusal:
            read(value)
        assert (refusal.value.code, refusal.value.detail) == ("bad_field", {"field": field})


KINDS = (None, ["play_card"], "", "PlayCard", "play_card\n")


@pytest.mark.parametrize(
    "raw", [{"seat": 1}, *({"kind": kind, "seat": 1} for kind in KINDS), {"kind": ""},
            {"kind": "_nothing"}]
)  # fmt: skip
@pytest.mark.parametrize("reader", [BOTH, ONE])
def test_structs_a_kind_is_needed_where_there_is_only_one_too(reader: Reader[Any], raw: Any):
    for read, value in ((reader.made_of, raw), (reader.given, json.dumps(raw))):
        with pytest.raises(BadField):
            read(value)


def test_structs_a_kind_may_stand_in_a_union_once() -> None:
    class FoldAll(Kinded, frozen=True):  # the same name as above
        """Another one."""

    with pytest.raises(TypeError):
        Reader(PlayCard | FoldAll | globals()["FoldAll"])


def test_structs_the_largest_number_is_what_a_browser_holds() -> None:
    assert LARGEST == 9_007_199_254_740_992
    read = ONE.given('{"kind":"play_card","seat":0,"counts":[9007199254740992]}')
    assert read.counts == (LARGEST,)


def test_structs_a_pattern_ends_with_the_text() -> None:
    """``$`` would let a newline pass."""
    assert Reader[Any](Annotated[str, Meta(pattern=r"^[a-z]+$")]).given('"abc\\n"') == "abc\n"
    with pytest.raises(BadField):
        Reader[Any](Annotated[str, Meta(pattern=r"\A[a-z]+\Z")]).given('"abc\\n"')


def test_structs_of_a_repeated_key_the_last_counts_and_two_kinds_are_none() -> None:
    assert ONE.given('{"kind":"play_card","seat":1,"seat":2}').seat == 2
    for first, second in (("play_card", "fold_all"), ("fold_all", "play_card")):
        with pytest.raises(BadField) as refusal:
            BOTH.given(f'{{"kind":"{first}","seat":1,"kind":"{second}"}}')
        assert refusal.value.detail["field"] in ("kind", "seat")
    assert BOTH.given('{"kind":"fold_all","kind":"fold_all"}') == FoldAll()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "nonsense", '{"kind":"fold_all"} x', '{"kind":"fold_all",}', "{'kind':1}"),
        *('{"seat":NaN}', '{"kind":"fold_all","x":"\\ud800"}', '{"a":"' + "\n" + '"}'),
        *(b"\xff\xfe", b'{"kind":"play_card","seat":1,"text":"\xff"}'),
        '{"kind":"play_card","seat":1,"x":' + "[" * 100_000,
    ],
)
def test_structs_what_is_no_json_is_said_so(text: str | bytes) -> None:
    with pytest.raises(BadField) as refusal:
        BOTH.given(text)
    assert isinstance(refusal.value, BadText) or refusal.value.detail == {"field": "x"}


ANYTHING: Reader[Any] = Reader(dict[str, Any])


def test_structs_endless_depth_and_half_a_character_are_refused_and_not_a_fault() -> None:
    with pytest.raises(BadText):
        ANYTHING.given('{"a":' + "[" * 100_000 + "]" * 100_000 + "}")
    for raw in ({"kind": "play_card", "seat": 1, "\ud800": 1}, {"kind": "\ud800"}):
        for read, value in ((BOTH.made_of, raw), (BOTH.given, json.dumps(raw))):
            with pytest.raises(BadField):
                read(value)


def test_structs_a_nul_is_refused_wherever_it_stands() -> None:
    """PostgreSQL keeps none in a text."""
    for raw in ({"a": "\0"}, {"\0": 1}, {"a": [{"b": ["x\0"]}]}):
        for read, value in (
            (ANYTHING.given, json.dumps(raw)),
            (ANYTHING.made_of, raw),
            (require_readable, raw),
        ):
            with pytest.raises(BadField):
                read(value)
    assert ANYTHING.given('{"a":"\\\\u0000"}') == {"a": "\\u0000"}
    require_readable(PlayCard(1, text="fine"))
    with pytest.raises(BadField):
        require_readable([PlayCard(1, text="\0")])


def test_structs_a_raw_piece_of_a_frame_is_read_as_the_text_it_is() -> None:
    def read(action: str) -> Any:
        return BOTH.given(
            reader_of(dict[str, msgspec.Raw]).given(f'{{"action":{action}}}')["action"]
        )

    assert read('{"kind":"fold_all"}') == FoldAll()
    with pytest.raises(BadField):
        read('{"kind":"play_card","seat":1,"text":"\\u0000"}')


def test_structs_a_clients_words_are_echoed_only_when_they_look_like_names() -> None:
    assert named("previous_dealer") == "previous_dealer"
    for name in ("", "1a", "a b", "a\n", "é", "x" * 41, "a`b", "<script>"):
        assert named(name) == ""
    assert field_of("Object contains unknown field `<script>`") == ""
    assert field_of("Object contains unknown field `x` - at `$.action`") == "x"
    assert field_of("Invalid value 'jump' - at `$.kind`") == "kind"


names = st.sampled_from(["kind", "seat", "amount", "card", "counts"]) | st.text(max_size=3)
json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)


@given(json_like, st.binary(max_size=40) | st.text(max_size=40))
def test_structs_whatever_comes_is_read_or_refused(value: Any, text: str | bytes) -> None:
    given_ = ((BOTH.made_of, value), (BOTH.given, json.dumps(value)), (BOTH.given, text))
    for read, raw in given_:
        with suppress(BadField):
            read(raw)


def test_structs_bounds_hold_when_something_is_read_and_not_when_it_is_made() -> None:
    """This is why random play decodes each state that it encodes."""
    made = replace(PlayCard(1), seat=-4, amount=0)
    with pytest.raises(ValueError, match="int"):
        BOTH.stored(canonical(made))


def test_structs_replace_knows_its_fields() -> None:
    assert replace(Card(Colour.RED), number=3) == Card(Colour.RED, 3)
    with pytest.raises((TypeError, AttributeError)):
        replace(Card(Colour.RED), suit=3)
    with pytest.raises(AttributeError):
        Card(Colour.RED).number = 3  # type: ignore[misc]


def test_structs_a_field_added_is_a_new_version() -> None:
    """The old reader refuses the new text; the new one takes the old text, but writes another."""

    class Wider(Record, frozen=True, tag=False):
        colour: Colour
        number: int = 1
        worn: bool = False

    with pytest.raises(ValueError, match="worn"):
        Reader[Card](Card).stored(canonical(Wider(Colour.RED)))
    text = canonical(Card(Colour.RED))
    assert canonical(Reader[Wider](Wider).stored(text)) != text


def test_structs_secrets_do_not_print() -> None:
    assert (secret_fields(Held), secret_fields(Card)) == ({"card", "seed"}, frozenset())
    held = Held(1, Card(Colour.BLUE), "5eed")

    def fail(state: Held) -> None:
        raise AssertionError(f"{state} is wrong")

    with pytest.raises(AssertionError) as problem:
        fail(held)
    lines = traceback.TracebackException.from_exception(problem.value, capture_locals=True).format()
    told = "".join(lines)
    assert "<Held>" in told
    for shown in (told, repr(held), str(held), f"{[held]!r}", repr({"a": (held,)})):
        assert "blue" not in shown.lower()
        assert "5eed" not in shown


PROGRAM = """
import sys, threading
import msgspec
from games.engine.structs import Reader, canonical

sys.setswitchinterval(1e-6)
for number in range(200):
    leaf = msgspec.defstruct(f"Leaf{number}", [(f"a{n}", int) for n in range(30)], frozen=True)
    kind = msgspec.defstruct(f"Kind{number}", [(f"b{n}", leaf) for n in range(30)], frozen=True)
    value = {f"b{n}": {f"a{m}": m for m in range(30)} for n in range(30)}
    text, together, read = canonical(value), threading.Barrier(4), []

    def work():
        together.wait()
        reader = Reader(kind)
        read.append(canonical(reader.stored(text)) == canonical(reader.made_of(value)) == text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == [True] * 4, number
"""


def test_kinds_that_threads_need_at_once_are_found_out_one_after_the_other() -> None:
    """Threads that need the same kinds for the first time at once do not end the process."""
    command = [sys.executable, "-c", PROGRAM]
    assert subprocess.check_output(command, cwd=ROOT, stderr=subprocess.STDOUT) == b""
