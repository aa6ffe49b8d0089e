"""The typed requests of the referee's pipe: values are not converted, unknown fields are refused.
Source: docs/how-to/add-a-game.md, "The referee".
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.engine.errors import BadField, refusal, refuse
from games.engine.facts import Instant, Points, SeatNo, SeatSetup, instant
from games.engine.structs import LARGEST, SECRET, BadText, Hidden, Reader, Record, SeatGiven

#: The last millisecond that a datetime can hold.
LAST_INSTANT: Final = 253_402_300_799_999

#: The most seats that a number alone can set up.
MOST_SEATS: Final = 1000

#: ISO 8601 with a zone, or whole milliseconds since 1970.
Moment = Annotated[int, Meta(ge=0, le=LAST_INSTANT)] | str


class SeatAsked(Record, frozen=True):
    """A seat to set up, and its purse; the default is the largest purse."""

    no: SeatGiven
    purse: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | UnsetType = UNSET


class GameAsked(Hidden, frozen=True):
    """A game to set up; ``seats`` is the number of seats, or a list of them."""

    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS)] | tuple[SeatAsked, ...]
    seed: Annotated[str, SECRET]
    options: dict[str, Any] = {}
    at: Moment = 0


class SetUp(Record, frozen=True):
    """``{"setup": {…}}``: begin a game."""

    setup: GameAsked


class Act(Record, frozen=True):
    """``{"seat": 0, "action": {…}}``: a seat acts."""

    seat: SeatGiven
    action: msgspec.Raw
    at: Moment | UnsetType = UNSET


class LetPass(Record, frozen=True):
    """``{"deadline": true}``: apply the deadline."""

    deadline: bool
    at: Moment | UnsetType = UNSET


class PutOff(Record, frozen=True):
    """``{"postpone": "…"}``: postpone the deadline."""

    postpone: Moment


class CallOff(Record, frozen=True):
    """``{"void": true}``: void the game and return all points."""

    void: bool


class ListLegal(Record, frozen=True):
    """``{"legal": 0}``: list a seat's legal actions."""

    legal: SeatGiven


class Look(Record, frozen=True):
    """``{"view": 0}``, ``{"view": null}``: return the view of a seat or of a spectator."""

    view: SeatGiven | None


class TellState(Record, frozen=True):
    """``{"state": true}``: return the whole state, secrets included."""

    state: bool


Request = SetUp | Act | LetPass | PutOff | CallOff | ListLegal | Look | TellState

#: The first field of a request, which identifies its type -> its reader.
_READERS: Final[Mapping[str, Reader[Request]]] = {
    kind.__struct_fields__[0]: Reader(kind)
    for kind in (SetUp, Act, LetPass, PutOff, CallOff, ListLegal, Look, TellState)
}
#: The requests whose field must be ``true``.
_TRUE: Final = ("deadline", "void", "state")

_LINE: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_RAW: Final = msgspec.json.Decoder(msgspec.Raw)


def read_request(line: str | bytes) -> Request:
    """Read one line. Raises BadText: it is not JSON, not UTF-8, or nested too deeply;
    ``bad_envelope``: it is JSON, but not a map, or none of the requests; BadField: a field is
    unknown, missing or wrong.
    """
    fields = _fields_of(line)
    name = next((name for name in _READERS if name in fields), None)
    if name is None:
        refuse("bad_envelope", f"one of these is needed: {', '.join(_READERS)}")
    request = _READERS[name].given(line)
    if name in _TRUE and getattr(request, name) is not True:
        raise BadField(f"{name} is true", field=name)
    return request


def _fields_of(line: str | bytes) -> Mapping[str, msgspec.Raw]:
    try:
        _RAW.decode(line)
        return _LINE.decode(line)
    except msgspec.ValidationError as problem:
        raise refusal("bad_envelope", "a request is a map") from problem
    except (ValueError, RecursionError) as problem:
        raise BadText("this is not JSON") from problem


def moment_of(asked: Moment, field: str = "at") -> Instant:
    """Convert a given moment to an instant; raises BadField."""
    if isinstance(asked, int):
        return Instant(asked)
    try:
        return instant(datetime.fromisoformat(asked))
    except (ValueError, OverflowError) as problem:
        message = "an instant is ISO 8601 with a zone, or milliseconds"
        raise BadField(message, field=field) from problem


def seats_of(asked: GameAsked, table_seats: int, largest: int) -> list[SeatSetup]:
    """Return the seats to set up. ``table_seats``: the number of seats at the table. ``largest``:
    the largest purse in points, the default for a seat without a purse. Raises BadField: more seats
    than the table has.
    """
    if not isinstance(asked.seats, int):
        return [_seat_setup(seat, largest) for seat in asked.seats]
    if asked.seats > table_seats:
        raise BadField("seats is a number the table has, or a list of seats", field="seats")
    return [SeatSetup(SeatNo(no), Points(largest)) for no in range(asked.seats)]


def _seat_setup(asked: SeatAsked, largest: int) -> SeatSetup:
    purse = largest if asked.purse is UNSET else asked.purse
    return SeatSetup(SeatNo(asked.no), Points(purse))
