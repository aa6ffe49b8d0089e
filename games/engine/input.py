"""Limits for everything from outside: lengths, types, and the faults that are told.
Source: docs/reference/protocol.md, "What every frame must be".
"""

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta

from games.engine.structs import LARGEST, Record, field_of

#: The most bytes of UTF-8 in a frame.
LARGEST_FRAME: Final = 8192
#: The greatest depth of a map with free keys, the map itself counted.
DEEPEST_MAP: Final = 7

#: An id that a client makes; a repeated request has the same id.
ActionId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{8,64}\Z")]

if TYPE_CHECKING:
    FreeMap = dict[str, Any]
else:
    _PLAIN = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | bool | str | None

    def _nested(levels: int) -> Any:
        """Return the type of plain values nested up to this depth."""
        if not levels:
            return _PLAIN
        inner = _nested(levels - 1)
        return _PLAIN | list[inner] | dict[str, inner]

    #: Strings, bools, whole numbers and null, in lists and maps: no fractions, a limited depth.
    FreeMap = dict[str, _nested(DEEPEST_MAP - 1)]


def is_too_long(text: str) -> bool:
    """Whether a text is longer than a frame may be; such a text is not parsed."""
    if len(text) > LARGEST_FRAME:
        return True
    return not text.isascii() and len(text.encode(errors="surrogatepass")) > LARGEST_FRAME


class Why(StrEnum):
    """A reason why a JSON text is not a value of a type."""

    MISSING = "missing"
    UNKNOWN = "unknown"
    TOO_LONG = "too long"
    ENDLESS = "endless"
    WRONG = "wrong"


class Fault(Record, frozen=True):
    """A fault: ``field`` is never a client's key; ``most`` is a length limit."""

    why: Why
    field: str = ""
    most: int = 0


_LENGTH: Final = re.compile(r" of length <= (\d+)")


def fault_of(problem: Exception) -> Fault:
    """Return the fault in one of msgspec's ValidationErrors.
    >>> fault_of(ValueError("Object missing required field `phase`"))
    Fault(why=<Why.MISSING: 'missing'>, field='phase', most=0)
    """
    message = str(problem)
    if "contains unknown field" in message:
        return Fault(Why.UNKNOWN)
    if "missing required field" in message:
        return Fault(Why.MISSING, field_of(message))
    if "out of range" in message:
        return Fault(Why.ENDLESS, field_of(message))
    length = _LENGTH.search(message)
    if length:
        return Fault(Why.TOO_LONG, field_of(message), int(length[1]))
    return Fault(Why.WRONG, field_of(message))
