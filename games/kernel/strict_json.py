"""The input gate: text to plain JSON values, or one of a few named refusals.

Reading is by the standard library's scanner and not by msgspec, because it is
the one that can refuse repeated keys, NaN and endless integers; a frame of a
table costs under ten microseconds.

Source: docs/protocol.md, "What every frame must be".
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, ClassVar, Final, NoReturn

#: Bytes of UTF-8 in a frame, and how deep it may nest.
LARGEST_FRAME: Final = 8192
DEEPEST_FRAME: Final = 8

#: The largest integer that a browser holds exactly.
LARGEST_INTEGER: Final = 2**53

#: A longer literal is not a number anybody meant, and int() is quadratic in it.
LONGEST_NUMBER: Final = 64

ID_FORM: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")

#: Strings, closed or not (so that no input is scanned twice), and brackets outside of them.
STRINGS_AND_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.?)*"?|[\[\]{}]', re.DOTALL)


class MalformedFrame(Exception):
    """The frame cannot be read; nothing has changed and the socket stays open.

    ``id`` is the client's, where it could be read, so that the answer finds its question.
    """

    code: ClassVar[str] = "bad_envelope"

    def __init__(self, message: str, frame_id: str | None = None, **detail: int | str) -> None:
        super().__init__(message)
        self.message = message
        self.id = frame_id
        self.detail = detail


class BadJson(MalformedFrame):
    """Not one JSON text of the strict kind: repeated keys, NaN, too deep, binary, endless."""

    code = "bad_json"


class BadEnvelope(MalformedFrame):
    """Not an object with a type and an id, or of another version of the protocol."""

    code = "bad_envelope"


class BadType(MalformedFrame):
    """No frame of this type is accepted from clients."""

    code = "bad_type"


class BadFrameField(MalformedFrame):
    """A key is unknown or missing, or its value is of the wrong type or form."""

    code = "bad_field"


class TooBig(MalformedFrame):
    """The frame, or a text in it, is longer than allowed."""

    code = "too_big"


def read(data: str | bytes) -> Any:
    """Return the values of one strict JSON text.

    Raises:
        TooBig: more than 8192 bytes.
        BadJson: binary, not JSON, nested deeper than 8, a repeated key, NaN,
            an endless or infinite number.
    """
    if not isinstance(data, str):
        raise BadJson("frames are text")
    if len(data) > LARGEST_FRAME or len(data.encode(errors="surrogatepass")) > LARGEST_FRAME:
        raise TooBig("the frame is too long", most=LARGEST_FRAME)
    if _depth(data) > DEEPEST_FRAME:
        raise BadJson("the frame is nested too deeply", most=DEEPEST_FRAME)
    try:
        return DECODER.decode(data)
    except ValueError:
        raise BadJson("the frame is not strict JSON") from None


def readable_id(content: Mapping[str, Any]) -> str | None:
    """Return the frame's id if it has one of the right form."""
    given = content.get("id")
    return given if type(given) is str and ID_FORM.fullmatch(given) else None


def require_plain(value: Any, frame_id: str | None) -> None:
    """Refuse fractions, integers that a browser cannot hold, NUL and half surrogates.

    Raises:
        BadFrameField: one of them is somewhere in the value.
    """
    kind = type(value)
    if kind is str:
        _require_readable(value, frame_id)
    elif kind is int or kind is float:
        _require_exact(value, frame_id)
    elif kind is dict:
        for key, item in value.items():
            _require_readable(key, frame_id)
            require_plain(item, frame_id)
    elif kind is list:
        for item in value:
            require_plain(item, frame_id)


def clean_text(text: str) -> str:
    """Drop control and format characters (bidi, zero width) and fold white space to one line."""
    if not text.isascii():
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    text = " ".join(text.split())
    return text if text.isprintable() else "".join(filter(str.isprintable, text))


def _depth(text: str) -> int:
    """Return how deep the brackets outside of strings nest, without parsing."""
    if text.count("{") + text.count("[") <= DEEPEST_FRAME:
        return 0  # cannot be too deep: the usual case costs two counts
    depth = deepest = 0
    for match in STRINGS_AND_BRACKETS.finditer(text):
        if match[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif match[0] in "}]":
            depth -= 1
    return deepest


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        raise BadJson("a key is repeated")
    return content


def _whole_number(literal: str) -> int:
    if len(literal) > LONGEST_NUMBER:
        raise BadJson("a number is too long")
    return int(literal)


def _fraction(literal: str) -> float:
    """Read a fraction, only to refuse it by name later, when the frame's id is known."""
    number = float(literal)
    if number in (float("inf"), float("-inf")):
        raise BadJson("a number is too large")
    return number


def _no_constant(literal: str) -> NoReturn:
    raise BadJson("NaN and Infinity are not JSON")


DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_int=_whole_number,
    parse_float=_fraction,
    parse_constant=_no_constant,
)


def _require_exact(number: float, frame_id: str | None) -> None:
    if type(number) is float:
        raise BadFrameField("a number is not whole", frame_id)
    if not -LARGEST_INTEGER <= number <= LARGEST_INTEGER:
        raise BadFrameField("a number is too large", frame_id)


def _require_readable(text: str, frame_id: str | None) -> None:
    if "\0" in text:
        raise BadFrameField("a text holds a NUL", frame_id)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise BadFrameField("a text holds half a character", frame_id) from None
