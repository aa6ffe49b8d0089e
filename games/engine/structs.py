"""The typed values of every game: states, actions, facts, options; their text, and reading it.

Canonical text is msgspec's, with sorted keys, in UTF-8: the same value gives the same bytes on
every Python and under every hash seed.  Bounds (``Meta``) hold when something is read, not when it
is made, so they stand on what comes from outside: actions, options, frames.

Source: docs/decisions/ "Structs".
"""

from __future__ import annotations

import re
import threading
from functools import cache
from typing import Annotated, Any, Final, Generic, NoReturn, TypeVar

import msgspec
from msgspec import Meta

from games.engine.errors import BadField

Value = TypeVar("Value")

#: The largest whole number that a browser holds exactly.
LARGEST: Final = 2**53
#: What stands on a field that its seat alone may know, or nobody.
SECRET: Final = Meta(extra={"secret": True})

#: A whole number from outside, a seat's number, an amount of points.
Whole = Annotated[int, Meta(ge=0, le=LARGEST)]
SeatGiven = Annotated[int, Meta(ge=0, le=999)]
Amount = Annotated[int, Meta(ge=1, le=10**9)]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A value that is never changed, only replaced; a field that it does not know is refused."""


class Hidden(Record, frozen=True):
    """A value with secrets in it: it prints as its name alone, so that no traceback holds one."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def snake_case(name: str) -> str:
    """Write a class's name as it stands in texts.

    >>> snake_case("WithdrawSuspend")
    'withdraw_suspend'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Kinded(Record, frozen=True, tag_field="kind", tag=snake_case):
    """A value of one of several kinds, told apart by ``kind``: the class's name in snake_case."""

    @property
    def kind(self) -> str:
        """The name of the kind, as in texts."""
        return kind_of(type(self))


@cache
def kind_of(made: type[msgspec.Struct]) -> str:
    """Return the name that a kind has in texts."""
    return str(made.__struct_config__.tag)


replace = msgspec.structs.replace

_ENCODER: Final = msgspec.json.Encoder(order="sorted")
_PLAIN: Final = msgspec.json.Decoder()


def canonical(value: object) -> str:
    """Write a value as the one text that stands for it: JSON, sorted keys, no spaces, UTF-8.

    >>> canonical({"b": [1, None], "a": "é"})
    '{"a":"é","b":[1,null]}'

    Raises:
        TypeError: something in it is no plain value and no struct, or a key is not a text.

    Source: docs/decisions/ "Structs".
    """
    return _ENCODER.encode(value).decode()


def plain(value: object) -> Any:
    """Return a value as maps, lists, texts and numbers; the kinds of structs are told."""
    # By its text: to_builtins leaves tuples as they are, and takes longer.
    return _PLAIN.decode(_ENCODER.encode(value))


class _Nothing(Kinded, frozen=True, tag=""):
    """No kind of anything."""


def _is_kinded(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Kinded)


def _something(value: Any) -> Any:
    if isinstance(value, _Nothing):
        raise BadField("there is no such kind", field="kind")
    return value


#: msgspec finds out about a struct the first time that it is asked: a second thread that asks
#: meanwhile reads what is half there, and the process dies.
_finding_out: Final = threading.Lock()


class Reader(Generic[Value]):
    """Reads one type from text of our own, or from outside.

    Args:
        kind: the type; a union of several structs with kinds is one type.
    """

    def __init__(self, kind: Any) -> None:
        # Of a single struct msgspec would do without its kind; of one among two it does not.
        self._kind = kind | _Nothing if _is_kinded(kind) else kind
        # What msgspec knows of a struct it keeps; of a union it would find it out each time.
        self._shell = msgspec.defstruct("Shell", [("value", self._kind)])
        with _finding_out:
            self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(self._kind)
            msgspec.json.Decoder(self._shell)

    def stored(self, text: str | bytes) -> Value:
        """Read what ``canonical`` wrote.

        Raises:
            ValueError: it is no text of this type.
        """
        value: Value = self._decoder.decode(text)
        return value

    def given(self, text: str | bytes | msgspec.Raw) -> Value:
        """Read a text from outside; nothing is converted and nothing is ignored.

        Raises:
            BadText: it is no JSON text, not UTF-8, or nested too deeply.
            BadField: a field is unknown or missing, or holds what it cannot; ``field`` names it.
        """
        try:
            value = _something(self._decoder.decode(text))
        except msgspec.ValidationError as problem:
            refuse(problem)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            raise BadText("this is not JSON") from problem
        if (_NUL in text) if isinstance(text, str) else (_NUL.encode() in bytes(text)):
            require_readable(value)
        return value  # type: ignore[no-any-return]

    def made_of(self, raw: object) -> Value:
        """Make the type of maps and lists that came from outside; nothing is converted.

        Raises:
            BadField: as ``given``.
        """
        try:
            shell = msgspec.convert({"value": raw}, self._shell, strict=True)
            value = _something(shell.value)  # type: ignore[attr-defined]
        except (msgspec.ValidationError, UnicodeError, RecursionError) as problem:
            refuse(problem)
        require_readable(raw)
        return value  # type: ignore[no-any-return]


@cache
def reader_of(kind: Any) -> Reader[Any]:
    """Return the one reader of a type."""
    return Reader(kind)


class BadText(BadField):
    """The text is not JSON: broken, not UTF-8, or nested too deeply."""

    code = "bad_json"


#: Where a value stands that is read in its shell.
_SHELL: Final = "`$.value"
#: How a NUL is written in JSON.
_NUL: Final = "\\u0000"
_PLACE: Final = re.compile(r" - at `(?:key in )?\$?([^`]*)`\Z")
#: Names of ours, or what looks like one; other words of a client's are not echoed.
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_NAMED: Final = re.compile(rf"field `({_NAME.pattern})`")


def refuse(problem: Exception) -> NoReturn:
    """Raise msgspec's complaint as ours: ``field`` names the place, what is wrong is in words.

    Raises:
        BadField: always.
    """
    message = str(problem).replace(_SHELL, "`$", 1)
    raise BadField(_words(message), field=field_of(message)) from problem


def named(name: str) -> str:
    """Return a client's word for a field if it looks like one; else it is not echoed.

    >>> named("ante"), named("1; drop")
    ('ante', '')
    """
    return name if _NAME.fullmatch(name) else ""


def field_of(message: str) -> str:
    """Return the field of which one of msgspec's messages speaks; empty for the whole.

    >>> field_of("Expected `int`, got `str` - at `$.action.amount`")
    'amount'
    >>> field_of("Object contains unknown field `x` - at `$.action`")
    'x'
    >>> field_of("Invalid value 'jump' - at `$.kind`")
    'kind'
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
    """Refuse a NUL in any text of maps and lists; raises BadField."""
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


def secret_fields(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of a struct's fields that are marked as secret."""
    return frozenset(
        field.name
        for field in msgspec.inspect.type_info(kind).fields  # type: ignore[attr-defined]
        if _is_secret(field.type)
    )


def _is_secret(kind: msgspec.inspect.Type) -> bool:
    extra = getattr(kind, "extra", None) or {}
    return bool(extra.get("secret"))
