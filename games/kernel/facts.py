"""What every game is made of: seats, instants, events, steps and the rules contract.

Nothing here knows a particular game, the web, the database, the clock or dice.
Instants are whole milliseconds since 1970-01-01T00:00Z; amounts are whole points.

Source: docs/decisions, "Canonical text"; docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from json.encoder import encode_basestring_ascii
from operator import attrgetter, itemgetter
from typing import Any, ClassVar, Final, Generic, NewType, Protocol, TypeVar

from games.kernel.structs import Kinded, plain

SeatNo = NewType("SeatNo", int)
Points = NewType("Points", int)
Instant = NewType("Instant", int)  # milliseconds since the epoch, UTC

#: The audience of a public event.
EVERYONE: Final = None

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)

State = TypeVar("State")
Part = TypeVar("Part")
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is looking: a seat, or with None somebody who has no seat."""

    seat: SeatNo | None


SPECTATOR: Final = Viewer(None)


@dataclass(frozen=True, slots=True)
class Event:
    """One fact that became true.

    ``audience`` is None for a public fact, else the seats that may read it.
    ``data`` is canonical: whole numbers, texts, booleans, None, lists and maps.
    """

    kind: str
    data: Mapping[str, Any]
    audience: frozenset[SeatNo] | None = EVERYONE


class Fact(Kinded, frozen=True):
    """Something that became true, in the past tense; its fields are what there is to know of it."""


class SecretFact(Fact, frozen=True):
    """A fact that not everybody may know: it prints as its name alone."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Told:
    """A fact and who may read it: ``audience`` is None for everybody, else the seats, in order."""

    __slots__ = ("_data", "audience", "fact")

    def __init__(self, fact: Fact, audience: Iterable[SeatNo] | None = EVERYONE) -> None:
        self.fact = fact
        self.audience = None if audience is None else frozenset(audience)
        self._data: dict[str, Any] | None = None

    @property
    def kind(self) -> str:
        """The fact's kind."""
        return self.fact.kind

    @property
    def data(self) -> Mapping[str, Any]:
        """What the fact says, as plain values by name; not to be changed."""
        if self._data is None:
            self._data = plain(self.fact)
            del self._data["kind"]
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Told):
            return NotImplemented
        return self.fact == other.fact and self.audience == other.audience

    def __hash__(self) -> int:
        return hash((self.fact, self.audience))

    def __repr__(self) -> str:
        return f"{self.fact!r} to {'all' if self.audience is None else sorted(self.audience)}"


@dataclass(frozen=True, slots=True)
class Step(Generic[State]):
    """The result of a transition: the next state and what happened, in order."""

    state: State
    events: tuple[Event, ...] = ()

    def then(self, go_on: Callable[[State], Step[State]]) -> Step[State]:
        """Return this step and the one that follows from its state, as one."""
        following = go_on(self.state)
        return Step(following.state, self.events + following.events)


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat that takes part in a game, with the points it brings (0 where there are none)."""

    no: SeatNo
    purse: Points = Points(0)


class Action(Protocol):
    """A request to the rules: a frozen dataclass with the name it has on the wire."""

    kind: ClassVar[str]


class Rules(Protocol[State]):
    """What every game offers; all of it is a function of its arguments.

    A state is frozen; no method changes its input.  The encoded state holds
    the seed and every secret: it is shown to nobody, views are built instead.
    """

    slug: str
    version: int
    title: str
    min_seats: int
    max_seats: int
    #: The options that the people at a table choose; the others are the site's.
    chosen_options: frozenset[str]

    def clean_options(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the full options, defaults filled in; raises BadOption."""

    def purse_limits(self, options: Mapping[str, Any]) -> tuple[int, int]:
        """Return the least and the most points one sits down with, for clean options."""

    def setup(
        self, options: Mapping[str, Any], seats: Sequence[SeatSetup], seed: str, at: Instant
    ) -> Step[State]:
        """Begin a game; raises BadOption for options, ValueError for seats that cannot play."""

    def legal_actions(self, state: State, seat: SeatNo) -> list[Action]:
        """Return what the seat may do now, in a stable order."""

    def apply(self, state: State, seat: SeatNo, action: Action, at: Instant) -> Step[State]:
        """Return what follows from the action; raises IllegalAction and then nothing changed."""

    def on_deadline(self, state: State, at: Instant) -> Step[State]:
        """Act for whoever is late; raises NotInPhase without a clock, TooEarly before its end."""

    def deadline(self, state: State) -> Instant | None:
        """Return when the running clock ends, None when none runs."""

    def clock_limit(self, state: State) -> int | None:
        """Return how many milliseconds the clock that runs now was given, None when none runs."""

    def postpone(self, state: State, due_at: Instant) -> Step[State]:
        """Move the deadline to the later of itself and ``due_at`` (an outage is repaid)."""

    def void(self, state: State) -> Step[State]:
        """End the game and give everything back; raises NotInPhase when it is over."""

    def phase(self, state: State) -> int:
        """Return the public counter of turns and rounds, from 1 upwards."""

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        """Build what the viewer may see, field by field."""

    def is_over(self, state: State) -> bool:
        """Tell whether the game has ended, by play or by voiding."""

    def outcome(self, state: State) -> dict[SeatNo, dict[str, Any]]:
        """Return each seat's result; empty while the game runs."""

    def carry_over(self, state: State) -> dict[str, Any]:
        """Return the options that a finished game sets for the table's next one."""

    def pending_seats(self, state: State) -> tuple[SeatNo, ...]:
        """Return the seats that have something to decide now."""

    def encode_state(self, state: State) -> str:
        """Write a state as canonical text."""

    def decode_state(self, text: str) -> State:
        """Read what encode_state wrote."""

    def encode_action(self, action: Action) -> dict[str, Any]:
        """Write an action as it goes over the wire."""

    def decode_action(self, raw: Mapping[str, Any]) -> Action:
        """Read an action from the wire; raises BadField."""


def canonical(value: object) -> str:
    r"""Write a value as the one text that stands for it: JSON, sorted keys, ASCII, no spaces.

    >>> canonical({"b": [1, None], "a": "é"})
    '{"a":"\\u00e9","b":[1,null]}'

    Raises:
        TypeError: something is not a whole number, text, boolean, None, list, tuple or map
            with text keys (a float, a set, an object).

    Source: docs/decisions, "Canonical text".
    """
    return writer_of(type(value))(value)


def _find_writer(kind: type[Any]) -> Callable[[Any], str]:
    # By its base: a name may be an enum's, a tuple may have names.
    for base, write in _WRITERS.items():
        if issubclass(kind, base):
            return write
    raise TypeError(f"not canonical: {kind.__name__}")


#: What writes values of a kind canonically; raises TypeError when nothing does.
writer_of: Final[Callable[[Any], Callable[[Any], str]]] = cache(_find_writer)


def _write_list(value: Sequence[object]) -> str:
    return "[" + ",".join([writer_of(type(item))(item) for item in value]) + "]"


def _write_map(value: Mapping[str, object]) -> str:
    # A key that is not text raises TypeError by itself.
    items = sorted(value.items(), key=_KEY)
    return (
        "{"
        + ",".join([f"{_write_text(key)}:{writer_of(type(item))(item)}" for key, item in items])
        + "}"
    )


_KEY: Final = itemgetter(0)
_write_text: Final[Callable[[str], str]] = encode_basestring_ascii

#: How each kind of value is written, in one pass that also refuses all others.
_WRITERS: Final[Mapping[type[Any], Callable[[Any], str]]] = {
    str: _write_text,
    bool: lambda value: "true" if value else "false",
    int: int.__repr__,
    type(None): lambda _: "null",
    dict: _write_map,
    list: _write_list,
    tuple: _write_list,
}


def replace(value: Record, /, **changes: Any) -> Record:
    """Return a frozen dataclass with some fields changed: ``dataclasses.replace`` in half the time.

    Raises:
        TypeError: there is no such field.
    """
    kind: Any = type(value)
    places, read = _layout(kind)
    values = list(read(value))
    try:
        for name, new in changes.items():
            values[places[name]] = new
    except KeyError as unknown:
        raise TypeError(f"{kind.__name__} has no field {unknown}") from None
    changed: Record = kind(*values)
    return changed


@cache
def _layout(kind: Any) -> tuple[Mapping[str, int], Callable[[Any], Iterable[Any]]]:
    """Return the place of each field among the arguments, and what reads them all in order."""
    names = tuple(field.name for field in fields(kind))
    if len(names) == 1:
        return {names[0]: 0}, lambda value: (getattr(value, names[0]),)
    return {name: place for place, name in enumerate(names)}, attrgetter(*names)


class Latest(Generic[State, Part]):
    """What was made of the objects that came last, by the very object: none is ever changed."""

    def __init__(self, make: Callable[[State], Part], most: int = 512) -> None:
        self._make, self._most = make, most
        #: id of an object -> the object, which keeps the id from being used again, and the part.
        self._kept: dict[int, tuple[State, Part]] = {}

    def of(self, source: State) -> Part:
        """Return what is made of this very object; not to be changed."""
        known = self._kept.get(id(source))
        if known is not None and known[0] is source:
            return known[1]
        part = self._make(source)
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[id(source)] = (source, part)
        return part


def instant(moment: datetime) -> Instant:
    """Cut an aware datetime to whole milliseconds.

    >>> instant(datetime(1970, 1, 1, 0, 0, 1, 2999, tzinfo=UTC))
    1002

    Raises:
        ValueError: the datetime is naive.
    """
    if moment.tzinfo is None:
        raise ValueError("an instant needs a time zone")
    return Instant((moment - EPOCH) // MILLISECOND)


def as_datetime(at: Instant) -> datetime:
    """Return the instant as an aware UTC datetime."""
    return EPOCH + at * MILLISECOND


@lru_cache(1024)
def iso(at: Instant) -> str:
    """Write an instant as ISO 8601 in UTC with milliseconds.

    >>> iso(Instant(1795268950123))
    '2026-11-21T13:49:10.123Z'
    """
    return as_datetime(at).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
