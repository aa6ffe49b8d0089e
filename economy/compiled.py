"""Queries of the ORM that are compiled once a database and run with new values."""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import BigIntegerField, Expression, Field, Model, QuerySet

Known = TypeVar("Known", bound=Model)


class Given(Expression):
    """A value that comes with each run, by its name; ``field`` says how it is stored."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        return "%s", [self]

    def stored(self, value: Any, database: Any) -> Any:
        return self.output_field.get_db_prep_value(value, database)


class GivenMany(Given):
    """Values that come with each run, for ``__in``: the text is the same for any number."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        return "(SELECT value FROM json_each(%s))", [self]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        kind = self.output_field.rel_db_type(connection) or "text"
        return f"(SELECT unnest(%s::{kind}[]))", [self]

    def stored(self, value: Any, database: Any) -> Any:
        values = list(value)
        return values if database.vendor == "postgresql" else json.dumps(values)


class _Statement(NamedTuple):
    text: str
    given: Sequence[Any]
    #: Place of a column -> what makes its value of what the database returns.
    converters: dict[int, tuple[Sequence[Callable[..., Any]], Any]]


# To write the text again takes the ORM 0.3 to 1 ms, longer than most of these statements run.
class Compiled:
    """A query with ``Given`` where its values differ: of tuples (``values_list``) or of models."""

    def __init__(self, query: Callable[[], "QuerySet[Any, Any]"]) -> None:
        self._query = query

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        database = connections[DEFAULT_DB_ALIAS]
        text, params, converters = _compile(self._query, database.vendor)
        values = [
            each.stored(given[each.name], database) if isinstance(each, Given) else each
            for each in params
        ]
        with database.cursor() as cursor:
            cursor.execute(text, values)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return [_converted(row, converters, database) for row in rows] if converters else rows

    def objects(self, model: type[Known], **given: Any) -> list[Known]:
        names = [field.attname for field in model._meta.concrete_fields]
        return [model.from_db(DEFAULT_DB_ALIAS, names, row) for row in self.rows(**given)]

    def first(self, **given: Any) -> tuple[Any, ...] | None:
        rows = self.rows(**given)
        return rows[0] if rows else None


@cache
def _compile(query: Callable[[], "QuerySet[Any, Any]"], vendor: str) -> _Statement:
    compiler = query().query.get_compiler(DEFAULT_DB_ALIAS)
    text, params = compiler.as_sql()
    columns = [expression for expression, *_ in compiler.select]
    return _Statement(text, params, compiler.get_converters(columns))


def _converted(row: Sequence[Any], converters: dict[int, Any], database: Any) -> tuple[Any, ...]:
    changed = list(row)
    for place, (makers, expression) in converters.items():
        for make in makers:
            changed[place] = make(changed[place], expression, database)
    return tuple(changed)


#: Before every stored instant.
EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
USERS: Final = GivenMany("users", BigIntegerField())


def read_rows(model: type[Known], column: str, keys: Iterable[int]) -> list[Known]:
    """Return the rows of a model in which a column of integers is one of these."""
    return _rows_by(model, column).objects(model, keys=keys)


@cache
def _rows_by(model: type[Model], column: str) -> Compiled:
    keys = GivenMany("keys", BigIntegerField())
    return Compiled(lambda: model._default_manager.filter(**{f"{column}__in": keys}))
