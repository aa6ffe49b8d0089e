"""Lists in parts: the filters in an address, and rows by a key."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

_Row = TypeVar("_Row", bound=Model)


class FilterField(forms.Field):
    """A text that matches ``pattern``, for ``read``, which may raise ValueError."""

    def __init__(self, read: Callable[[str], Any], pattern: str = r"(?s:.*)") -> None:
        super().__init__()
        self.read, self.pattern = read, pattern

    def clean(self, value: str | None) -> Any:
        if not value:
            return ""
        if not re.fullmatch(self.pattern, value):
            raise ValidationError(f"{value!r} does not match {self.pattern}")
        try:
            return self.read(value)
        except (ValueError, OverflowError) as problem:
            raise ValidationError(str(problem)) from problem


class FilterForm(forms.Form):
    """The filters of a list, and the place in it; ``values`` that are missing or bad are empty."""

    #: Field -> its key in the address, where that is another.
    keys: ClassVar[Mapping[str, str]] = {}
    #: The field that is the place in the list.
    place: ClassVar[str] = "before"

    def __init__(self, query: Mapping[str, str] | None = None) -> None:
        super().__init__(query or {})
        for field in self.fields.values():
            field.required = False
        self.full_clean()
        self.values = {name: self.cleaned_data.get(name, "") for name in self.fields}

    def add_prefix(self, field_name: str) -> str:
        return self.keys.get(field_name, field_name)

    def query(self, place: int | str = "") -> str:
        """Return the query of the first page's address, or of a place's."""
        values = {**self.values, self.place: place}
        return urlencode([(self.add_prefix(name), each) for name, each in values.items() if each])


def searched(text: str) -> str:
    return text.strip()[:60]


def in_days(column: str, since: date | None, until: date | None) -> Q:
    """Return the condition for instants in these days of UTC, both included."""
    wanted = Q()
    if since:
        wanted &= Q(**{f"{column}__gte": midnight(since)})
    if until:
        wanted &= Q(**{f"{column}__lt": midnight(until + timedelta(days=1))})
    return wanted


def midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def rows_after(rows: QuerySet[_Row], order: str, after: Any, limit: int) -> tuple[list[_Row], bool]:
    """Return rows in the order of a unique column after a value (empty: the first ones), and
    whether others follow.
    """
    if after:
        beyond = "lt" if order.startswith("-") else "gt"
        rows = rows.filter(**{f"{order.removeprefix('-')}__{beyond}": after})
    found = list(rows.order_by(order)[: limit + 1])
    return found[:limit], len(found) > limit


def portions_of(rows: QuerySet[_Row], size: int) -> Iterator[list[_Row]]:
    """Yield rows by primary key, some per query: a long list needs no cursor."""
    last = 0
    while True:
        found = list(rows.filter(pk__gt=last).order_by("pk")[:size])
        if found:
            yield found
        if len(found) < size:
            return
        last = found[-1].pk
