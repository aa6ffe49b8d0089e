"""Reading what comes down the referee's pipe: strict, nothing converted, nothing ignored.

Source: docs/adding-a-game.md, "The referee".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, NoReturn

from games.kernel.errors import BadField, IllegalAction
from games.kernel.facts import Instant, Points, SeatNo, SeatSetup, instant

#: The last millisecond that a datetime can hold.
LAST_INSTANT: Final = 253_402_300_799_999


class BadLine(IllegalAction):
    """The line is not JSON."""

    code: ClassVar[str] = "bad_json"


class BadEnvelope(IllegalAction):
    """The line is JSON, but not a request."""

    code: ClassVar[str] = "bad_envelope"


def parse_line(line: str | bytes) -> Mapping[str, Any]:
    """Read one request.

    Raises:
        BadLine: not JSON, not UTF-8, nested too deeply, or with NaN in it.
        BadEnvelope: JSON, but not a map.
    """
    try:
        request = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadLine("this is not JSON") from error
    if not isinstance(request, dict):
        raise BadEnvelope("a request is a map")
    return request


def parse_instant(value: object, field: str) -> Instant:
    """Read an instant: ISO 8601 with a zone, or whole milliseconds since 1970.

    Raises:
        BadField: it is neither.
    """
    if type(value) is int and 0 <= value <= LAST_INSTANT:
        return Instant(value)
    if type(value) is str:
        try:
            return instant(datetime.fromisoformat(value))
        except (ValueError, OverflowError):
            pass
    raise BadField("an instant is ISO 8601 with a zone, or milliseconds", field=field)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def require_only(given: Mapping[str, Any], known: set[str]) -> None:
    """Refuse a field that is not known; raises BadField."""
    for name in given:
        if name not in known:
            raise BadField("an unknown field", field=name)


def read_map(given: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    """Return the map in a field; raises BadField."""
    value = given.get(field)
    if not isinstance(value, dict):
        raise BadField(f"{field} is a map", field=field)
    return value


def require_true(request: Mapping[str, Any], field: str) -> None:
    """Refuse a field that is not true; raises BadField."""
    if request[field] is not True:
        raise BadField(f"{field} is true", field=field)


def read_seat_no(value: object, field: str = "seat") -> SeatNo:
    """Return a seat number from 0; raises BadField."""
    if type(value) is not int or value < 0:
        raise BadField("a seat is a whole number from 0", field=field)
    return SeatNo(value)


def read_seats(asked: object, table_seats: int, largest: int) -> list[SeatSetup]:
    """Read how many seats play, each with the largest purse, or which ones with which purse.

    Args:
        asked: a number of seats, or a list of maps with ``no`` and ``purse``.
        table_seats: how many the table has.
        largest: the most points one sits down with, taken where no purse is named.

    Raises:
        BadField: it is neither, or more seats than there are.
    """
    if type(asked) is int and 0 < asked <= table_seats:
        return [SeatSetup(SeatNo(no), Points(largest)) for no in range(asked)]
    if not isinstance(asked, list):
        raise BadField("seats is a number the table has, or a list of seats", field="seats")
    return [_seat_setup(seat, largest) for seat in asked]


def _seat_setup(asked: object, largest: int) -> SeatSetup:
    if not isinstance(asked, dict):
        raise BadField("a seat is a map with no and purse", field="seats")
    require_only(asked, {"no", "purse"})
    purse = asked.get("purse", largest)
    if type(purse) is not int:
        raise BadField("a purse is a whole number", field="purse")
    return SeatSetup(read_seat_no(asked.get("no"), "no"), Points(purse))
