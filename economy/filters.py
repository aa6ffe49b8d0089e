"""Filters of a statement, read from the address of a page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Self
from urllib.parse import urlencode

from django.db.models import Q

from economy.labels import MovementKind, codes_of
from economy.units import MOST_BALANCE

DIRECTIONS: Final = ("in", "out")
#: The allowed keys of an address; other keys are refused.
KEYS: Final = frozenset({"kind", "direction", "from", "to", "before"})


class BadFilter(Exception):
    """A key is unknown or repeated, or its value is not valid."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty means all.  ``since`` and ``until`` are days in UTC, both included. ``before`` is the
    id of the last line of the page before, 0 for the first page.
    """

    kind: MovementKind | None = None
    direction: str = ""
    since: date | None = None
    until: date | None = None
    before: int = 0

    @classmethod
    def read(cls, pairs: Iterable[tuple[str, list[str]]]) -> Self:
        """Read the query of an address, given as key -> all values; raises BadFilter."""
        said = dict(pairs)
        if not KEYS.issuperset(said) or any(len(values) != 1 for values in said.values()):
            raise BadFilter("an unknown or a repeated key")
        value = {key: values[0] for key, values in said.items() if values[0]}
        direction = value.get("direction", "")
        if direction and direction not in DIRECTIONS:
            raise BadFilter("a direction is in or out")
        try:
            return cls(
                kind=MovementKind(value["kind"]) if "kind" in value else None,
                direction=direction,
                since=_day(value, "from"),
                until=_day(value, "to"),
                before=_number(value),
            )
        except (ValueError, OverflowError) as problem:
            raise BadFilter(str(problem)) from problem

    @property
    def is_empty(self) -> bool:
        """Whether no filter is set; ``before`` does not count."""
        return not self.address()

    def condition(self, account_ids: Sequence[int]) -> Q:
        """Return the condition on lines of these accounts, without ``before``."""
        wanted = Q(pk__isnull=False)
        if self.kind is not None:
            wanted &= Q(code__in=codes_of(self.kind))
        if self.direction:
            side = "credit__in" if self.direction == "in" else "debit__in"
            wanted &= Q(**{side: account_ids})
        if self.since is not None:
            wanted &= Q(at__gte=_midnight(self.since))
        if self.until is not None:
            wanted &= Q(at__lt=_midnight(self.until) + timedelta(days=1))
        return wanted

    def address(self) -> str:
        """Return the filters as the query of an address, without ``before``."""
        said = {
            "kind": self.kind,
            "direction": self.direction,
            "from": self.since,
            "to": self.until,
        }
        return urlencode({key: str(value) for key, value in said.items() if value})


def _day(value: Mapping[str, str], key: str) -> date | None:
    if key not in value:
        return None
    day = datetime.strptime(value[key], "%Y-%m-%d").replace(tzinfo=UTC).date()
    if not 2000 <= day.year <= 9000:
        raise ValueError("no day of this site")
    return day


def _number(value: Mapping[str, str]) -> int:
    text = value.get("before", "0")
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError("before is the number of a line")
    number = int(text)
    if number > MOST_BALANCE * 1000:
        raise ValueError("before is the number of a line")
    return number


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
