"""The secrets of a game's state in words, for administrators who look at it. What is secret, and
what is a seat, the types of the state say: SECRET and ``SeatNo``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET
from msgspec.structs import FieldInfo, fields

from games.engine.facts import SeatNo
from games.engine.structs import SECRET, SeatGiven

#: The types of a seat's number.
SEATS: Final = (SeatNo, SeatGiven)
#: Values that say that there is nothing.
_NOTHING: Final = (None, UNSET, False, 0, "", ())


def hidden_in_words(play: Any, names: Mapping[int, str]) -> str:
    """Return a line for each seat with secrets, and one for each secret of the whole game. ``play``
    is the state of a game, None before the start; the seed is left out.
    """
    return "\n".join(() if play is None else _lines(play, names))


def _lines(play: Any, names: Mapping[int, str]) -> Iterator[str]:
    for field in fields(play):
        value = getattr(play, field.name)
        if field.name != "seed" and _is_told(field, value):
            yield f"{_words(field.name)}: {_told(value, field.type, names)}"
        for each in value if isinstance(value, tuple) else ():
            if isinstance(each, msgspec.Struct) and "no" in each.__struct_fields__:
                yield f"{_seat(each, names)}: {_secrets(each, names) or 'nothing'}"


def _seat(seat: Any, names: Mapping[int, str]) -> str:
    """Return a seat as people count them, with its player."""
    return f"seat {seat.no + 1} {names.get(seat.no, '')}".strip()


def _secrets(seat: Any, names: Mapping[int, str]) -> str:
    inherited = getattr(type(seat).__base__, "__struct_fields__", ())
    found = [field for field in fields(seat) if _is_told(field, getattr(seat, field.name))]
    # What the game's own seat adds, such as a role, comes first.
    found.sort(key=lambda field: field.name in inherited)
    return ", ".join(
        f"{_words(field.name)} {_told(getattr(seat, field.name), field.type, names)}"
        for field in found
    )


def _is_told(field: FieldInfo, value: Any) -> bool:
    """Whether a field is secret and says something; a seat's number 0 does."""
    if SECRET not in getattr(field.type, "__metadata__", ()):
        return False
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value not in _NOTHING or (is_number and _may_be_seat(_bare(field.type)))


def _words(name: str) -> str:
    return name.removeprefix("is_").replace("_", " ")


def _bare(kind: Any) -> Any:
    """Return a type without what annotates it, but a seat's type as it is."""
    return kind.__origin__ if hasattr(kind, "__metadata__") and kind not in SEATS else kind


def _may_be_seat(kind: Any) -> bool:
    return any(each in SEATS for each in (kind, *get_args(kind)))


def _told(value: Any, kind: Any, names: Mapping[int, str]) -> str:
    """Return a value by its type: names for seats, words for the rest."""
    kind = _bare(kind)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return names.get(value, f"seat {value + 1}") if _may_be_seat(kind) else str(value)
    if not isinstance(value, tuple):
        return str(value)
    parts = get_args(kind)
    if len(parts) == 2 and parts[1] is Ellipsis:
        return "; ".join(_told(each, parts[0], names) for each in value)
    each_kind = parts or [Any] * len(value)
    return " ".join(_told(each, its, names) for each, its in zip(value, each_kind, strict=True))
