"""The types that all games share: seats, points, instants (milliseconds since 1970), facts, steps.
Source: docs/how-to/add-a-game.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Generic, NewType, TypeVar

import msgspec

from games.engine.structs import Kinded, kind_of, plain

SeatNo = NewType("SeatNo", int)
Points = NewType("Points", int)
Instant = NewType("Instant", int)  # milliseconds since the epoch, UTC

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)

#: The most values of an ``IdentityCache``.
MOST_KEPT: Final = 512

State = TypeVar("State")
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Viewer:
    """A seat, or a spectator (None)."""

    seat: SeatNo | None


SPECTATOR: Final = Viewer(None)


class Fact(Kinded, frozen=True):
    """Something that became true, in the past tense; its fields are its data. Each ``Told`` names
    the audience; a viewer gets a new view only after a fact that the viewer hears.
    """


class SecretFact(Fact, frozen=True):
    """A fact with a limited audience: its repr is its name alone."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class ClockPostponed(Fact, frozen=True):
    """The clock of a table or a game was postponed: nothing is due before this instant."""

    due_at: Instant


class Told:
    """A fact with its audience: None for everybody, else a set of seats."""

    __slots__ = ("_data", "audience", "fact", "kind")

    def __init__(self, fact: Fact, audience: Iterable[SeatNo] | None = None) -> None:
        self.fact = fact
        self.kind = kind_of(type(fact))
        self.audience = None if audience is None else frozenset(audience)
        self._data: dict[str, Any] | None = None

    @property
    def data(self) -> Mapping[str, Any]:
        """The fields of the fact as plain values by name; read-only."""
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


class Step(msgspec.Struct, Generic[State], frozen=True):
    """The result of a transition: the next state and what happened, in order."""

    state: State
    events: tuple[Told, ...] = ()

    def then(self, go_on: Callable[[State], Step[State]]) -> Step[State]:
        """Return one step made of this step and the step that ``go_on`` makes of its state."""
        following = go_on(self.state)
        return Step(following.state, self.events + following.events)


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A seat that takes part, with the points that it brings. ``is_warned``: it did not come to its
    last game of this kind, which the rules forgive once.
    """

    no: SeatNo
    purse: Points = Points(0)
    is_warned: bool = False


class IdentityCache(Generic[State, Part]):
    """A cache of read-only values derived from immutable objects, by identity."""

    def __init__(self, make: Callable[[State], Part]) -> None:
        self._make = make
        #: id of an object -> (object, value); the reference keeps the id from being reused.
        self._kept: dict[int, tuple[State, Part]] = {}

    def of(self, source: State) -> Part:
        known = self._kept.get(id(source))
        if known is not None and known[0] is source:
            return known[1]
        part = self._make(source)
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        self._kept[id(source)] = (source, part)
        return part


class Growing(Generic[State, Part]):
    """A cache of read-only values derived from growing tuples: only the last is computed. A tuple's
    key is its last object, which occurs in no other history.
    """

    def __init__(self, make: Callable[[State], Part], most: int = 1_000) -> None:
        self._make, self._most = make, most
        self._kept: dict[int, tuple[State, list[Part]]] = {}

    def of(self, sources: tuple[State, ...]) -> list[Part]:
        if not sources:
            return []
        last = sources[-1]
        known = self._kept.get(id(last))
        if known is not None and known[0] is last and len(known[1]) == len(sources):
            return known[1]
        before = self._kept.pop(id(sources[-2]), None) if len(sources) > 1 else None
        if before is not None and before[0] is sources[-2] and len(before[1]) == len(sources) - 1:
            parts = [*before[1], self._make(last)]
        else:
            parts = [self._make(source) for source in sources]
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[id(last)] = (last, parts)
        return parts


def instant(moment: datetime) -> Instant:
    """Cut an aware datetime to whole milliseconds; raises ValueError for a naive one.
    >>> instant(datetime(1970, 1, 1, 0, 0, 1, 2999, tzinfo=UTC))
    1002
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
