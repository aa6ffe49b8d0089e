"""The typed values of every game (states, actions, facts, options), their text, and its reader.
Source: docs/explanation/decisions/ "Structs".
"""

import re
import threading
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Final, Generic, NoReturn, TypeVar

import msgspec
from msgspec import Meta

from games.engine.errors import BadField

Value = TypeVar("Value")

#: The largest whole number that a browser holds exactly.
LARGEST: Final = 2**53
#: Marks a field that only its seat may know, or nobody.
SECRET: Final = Meta(extra={"secret": True})

#: Whole numbers from outside: any, a seat's number, an amount of points.
Whole = Annotated[int, Meta(ge=0, le=LARGEST)]
SeatGiven = Annotated[int, Meta(ge=0, le=999)]
Amount = Annotated[int, Meta(ge=1, le=10**9)]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An immutable value; unknown fields are refused. Bounds (``Meta``) are checked when it is
    read, not when it is made: they belong on values from outside.
    """


class Hidden(Record, frozen=True):
    """A value with secrets: its repr is its name alone, so that no traceback contains them."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def snake_case(name: str) -> str:
    """Convert a class name to snake_case, its form in texts.
    >>> snake_case("WithdrawSuspend")
    'withdraw_suspend'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Kinded(Record, frozen=True, tag_field="kind", tag=snake_case):
    """A value of one of several kinds, with the tag ``kind``: the class name in snake_case."""

    @property
    def kind(self) -> str:
        return kind_of(type(self))


@cache
def kind_of(made: type[msgspec.Struct]) -> str:
    """Return the name of a kind in texts."""
    return str(made.__struct_config__.tag)


def kinds_of(values: Iterable[Kinded]) -> list[str]:
    """Return the names of the kinds among some values, each once."""
    return list(dict.fromkeys([kind_of(type(value)) for value in values]))


replace = msgspec.structs.replace

_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_PLAIN: Final = msgspec.json.Decoder()


def canonical(value: object) -> str:
    """Return the canonical JSON of a value: sorted keys, no spaces; the same bytes everywhere.
    >>> canonical({"b": [1, None], "a": "é"})
    '{"a":"é","b":[1,null]}'
    """
    return _ENCODER.encode(value).decode()


def plain(value: object) -> Any:
    """Convert a value to maps, lists, strings and numbers; structs keep their ``kind``."""
    # Through the text: to_builtins leaves tuples unchanged, and is slower.
    return _PLAIN.decode(_ENCODER.encode(value))


class _Nothing(Kinded, frozen=True, tag=""):
    """A kind that no input may have."""


#: msgspec collects the type information of a struct on first use and is not thread-safe there: a
#: second thread reads incomplete data, and the process crashes.
_finding_out: Final = threading.Lock()


class Reader(Generic[Value]):
    """A reader of one type, or of a union of kinds, for stored text and for text from outside."""

    def __init__(self, kind: Any) -> None:
        # For a single struct msgspec does not require the tag; for a union of two it does.
        is_single = isinstance(kind, type) and issubclass(kind, Kinded)
        self._kind = kind | _Nothing if is_single else kind
        # msgspec caches the type information of a struct, but not of a union.
        self._shell = msgspec.defstruct("Shell", [("value", self._kind)])
        with _finding_out:
            self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(self._kind)
            msgspec.json.Decoder(self._shell)

    def stored(self, text: str | bytes) -> Value:
        """Read text that ``canonical`` wrote; raises ValueError."""
        value: Value = self._decoder.decode(text)
        return value

    def given(self, text: str | bytes | msgspec.Raw) -> Value:
        """Read text from outside; values are not converted, unknown fields are refused. Raises
        BadText, or BadField whose ``field`` is unknown, missing or invalid.
        """
        try:
            value = self._decoder.decode(text)
        except msgspec.ValidationError as problem:
            raise_bad_field(problem)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            raise BadText("this is not JSON") from problem
        if isinstance(value, _Nothing):
            raise BadField("there is no such kind", field="kind")
        if (_NUL in text) if isinstance(text, str) else (_NUL.encode() in bytes(text)):
            require_readable(value)
        return value  # type: ignore[no-any-return]

    def made_of(self, raw: object) -> Value:
        """Convert maps and lists from outside to the type, as strictly as ``given``. Raises
        BadField.
        """
        try:
            shell = msgspec.convert({"value": raw}, self._shell, strict=True)
            value = shell.value  # type: ignore[attr-defined]
        except (msgspec.ValidationError, UnicodeError, RecursionError) as problem:
            raise_bad_field(problem)
        if isinstance(value, _Nothing):
            raise BadField("there is no such kind", field="kind")
        require_readable(raw)
        return value  # type: ignore[no-any-return]


@cache
def reader_of(kind: Any) -> Reader[Any]:
    """Return the one reader of a type."""
    return Reader(kind)


class BadText(BadField):
    """The text is not JSON: broken, not UTF-8, or nested too deeply."""

    code = "bad_json"


#: The start of a path in msgspec's messages for a value that was read in its shell.
_SHELL: Final = "`$.value"
#: The JSON escape of a NUL.
_NUL: Final = "\\u0000"
_PLACE: Final = re.compile(r" - at `(?:key in )?\$?([^`]*)`\Z")
#: Names that may be echoed in a message; other client text is not echoed.
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_NAMED: Final = re.compile(rf"field `({_NAME.pattern})`")


def raise_bad_field(problem: Exception) -> NoReturn:
    """Raise msgspec's error as BadField: ``field`` names the place, the message the fault."""
    message = str(problem).replace(_SHELL, "`$", 1)
    raise BadField(_words(message), field=field_of(message)) from problem


def named(name: str) -> str:
    """Return a client's field name if it looks like a name, else an empty string.
    >>> named("ante"), named("1; drop")
    ('ante', '')
    """
    return name if _NAME.fullmatch(name) else ""


def field_of(message: str) -> str:
    """Return the field that one of msgspec's messages names; empty for the whole value.
    >>> field_of("Expected `int`, got `str` - at `$.action.amount`")
    'amount'
    """
    if " field `" in message:
        named = _NAMED.search(message)
        return named[1] if named else ""
    place = _PLACE.search(message)
    names = re.findall(r"[A-Za-z_]\w*", place[1]) if place else []
    return names[-1] if names else ""


def _words(message: str) -> str:
    if "unknown field" in message:
        return "an unknown field"
    if "missing required field" in message:
        return "a field is missing"
    if message.startswith("Invalid value") and field_of(message) == "kind":
        return "there is no such kind"
    return _PLACE.sub("", message).replace("`", "")


def require_readable(value: object) -> None:
    """Reject a NUL in any string of maps and lists; raises BadField."""
    found = [value]
    while found:
        each = found.pop()
        if isinstance(each, str):
            if "\0" in each:
                raise BadField("a text holds a NUL", field="")
        elif isinstance(each, dict):
            found += [*each, *each.values()]
        elif isinstance(each, list | tuple):
            found += each
        elif isinstance(each, msgspec.Struct):
            found += msgspec.structs.astuple(each)
