"""Statements for many rows, on SQLite and PostgreSQL."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import BigIntegerField, DateTimeField, Expression, Field, Model, QuerySet

Row = Sequence[Any]
Known = TypeVar("Known", bound=Model)

# Every name in these texts is a model's; values are always parameters.
# ruff: noqa: S608


# The ORM builds an expression for every value of every row; the text of these statements depends
# only on the model, and rows are tuples.
class BulkRows:
    """Inserts, updates and selects rows of a model: a value for each named field, in order."""

    def __init__(self, model: type[Model], names: Iterable[str]) -> None:
        self._fields: list[Any] = [model._meta.get_field(name) for name in names]
        self._table = model._meta.db_table
        self._columns = [field.column for field in self._fields]
        self._listed = ", ".join(f'"{column}"' for column in self._columns)
        self._moments = [
            place for place, field in enumerate(self._fields) if isinstance(field, DateTimeField)
        ]

    def insert(self, rows: Sequence[Row]) -> None:
        self._run(self._insertion, rows)

    def update(self, rows: Sequence[Row]) -> None:
        """Update all fields of the rows; the last field is the key."""
        self._run(self._update, rows)

    def select(self, keys: Iterable[int]) -> list[Row]:
        """Return the rows whose last field, the key, is one of these, in no order."""
        is_one, given = is_any(f'"{self._columns[-1]}"', keys, "bigint")
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT {self._listed} FROM "{self._table}" WHERE {is_one}', [given])
            rows: list[Row] = cursor.fetchall()
        return rows if connection.vendor == "postgresql" else self._with_moments(rows, _in_utc)

    @cached_property
    def _insertion(self) -> str:
        into = f'INSERT INTO "{self._table}" ({self._listed})'
        if connection.vendor == "postgresql":
            return f"{into} SELECT * FROM unnest({self._arrays})"
        return f"{into} VALUES ({', '.join(['%s'] * len(self._columns))})"

    @cached_property
    def _update(self) -> str:
        *columns, key = self._columns
        if connection.vendor == "postgresql":
            changes = ", ".join(f'"{column}" = given."{column}"' for column in columns)
            given = f"unnest({self._arrays}) AS given({self._listed})"
            return (
                f'UPDATE "{self._table}" AS kept SET {changes} FROM {given}'
                f' WHERE kept."{key}" = given."{key}"'
            )
        changes = ", ".join(f'"{column}" = %s' for column in columns)
        return f'UPDATE "{self._table}" SET {changes} WHERE "{key}" = %s'

    @cached_property
    def _arrays(self) -> str:
        """One array type per column, without length: a too long text is refused, not cut."""
        kinds = [re.sub(r"\(\d+\)", "", field.db_type(connection)) for field in self._fields]
        return ", ".join(f"%s::{kind}[]" for kind in kinds)

    def _run(self, statement: str, rows: Sequence[Row]) -> None:
        if not rows:
            return
        # The proxy ``connection`` finds the connection of the thread again at each attribute.
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            if database.vendor == "postgresql":
                cursor.execute(statement, [list(column) for column in zip(*rows, strict=True)])
            else:
                cursor.executemany(statement, self._with_moments(rows, _as_text))

    def _with_moments(self, rows: Sequence[Row], change: Callable[[Any], Any]) -> list[Row]:
        if not self._moments:
            return list(rows)
        changed: list[Any] = [list(row) for row in rows]
        for row in changed:
            for place in self._moments:
                if row[place] is not None:
                    row[place] = change(row[place])
        return changed


def _as_text(moment: datetime) -> str:
    """Return an instant as Django stores it in SQLite; nearly all are in UTC already."""
    if moment.tzinfo is not UTC:
        return str(connection.ops.adapt_datetimefield_value(moment))
    return moment.replace(tzinfo=None).isoformat(" ")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


def is_any(column: str, values: Iterable[Any], kind: str) -> tuple[str, Any]:
    """Return the condition "column is one of these" and its one parameter; its text is constant.
    ``kind`` is PostgreSQL's name of the column's type.
    """
    if connection.vendor == "postgresql":
        return f"{column} = ANY(%s::{kind}[])", list(values)
    return f"{column} IN (SELECT value FROM json_each(%s))", json.dumps(list(values))


def as_given(rows: Sequence[Row]) -> list[Any]:
    """Return rows as the parameters of a statement that joins them: arrays, or one JSON text."""
    if connection.vendor == "postgresql":
        return [list(column) for column in zip(*rows, strict=True)]
    return [json.dumps(rows)]


def fixed_rows(query: Callable[[Any], QuerySet[Any, Any]], model: type[Model]) -> list[Row]:
    """Run a query that depends only on the model; it is compiled once for each database. Returns
    integers and texts as the database has them, no instants.
    """
    text, given = _text_of(query, model, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(text, given)
        rows: list[Row] = cursor.fetchall()
    return rows


@cache
def _text_of(
    query: Callable[[Any], QuerySet[Any, Any]], model: type[Model], vendor: str
) -> tuple[str, tuple[Any, ...]]:
    return query(model._default_manager.all()).query.sql_with_params()


class Given(Expression):
    """A value that comes with each run, by its name; ``field`` says how it is stored."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "%s", [self]


class GivenMany(Given):
    """Values that come with each run, for ``__in``: the text is the same for any number."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return "(SELECT value FROM json_each(%s))", [self]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        kind = self.output_field.rel_db_type(connection) or "text"
        return f"(SELECT unnest(%s::{kind}[]))", [self]


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

    def rows(self, **given: Any) -> list[Any]:
        database = connections[DEFAULT_DB_ALIAS]
        text, params, converters = _compile(self._query, database.vendor)
        values = []
        for each in params:
            value = given[each.name] if isinstance(each, Given) else each
            if isinstance(each, GivenMany):
                value = list(value)
                value = value if database.vendor == "postgresql" else json.dumps(value)
            elif isinstance(each, Given):
                value = each.output_field.get_db_prep_value(value, database)
            values.append(value)
        with database.cursor() as cursor:
            cursor.execute(text, values)
            rows: list[Any] = cursor.fetchall()
        if converters:
            rows = [list(row) for row in rows]
        for place, (makers, expression) in converters.items():
            for row in rows:
                for make in makers:
                    row[place] = make(row[place], expression, database)
        return rows

    def objects(self, model: type[Known], **given: Any) -> list[Known]:
        names = [field.attname for field in model._meta.concrete_fields]
        return [model.from_db(DEFAULT_DB_ALIAS, names, row) for row in self.rows(**given)]


@cache
def _compile(query: Callable[[], "QuerySet[Any, Any]"], vendor: str) -> _Statement:
    compiler = query().query.get_compiler(DEFAULT_DB_ALIAS)
    text, params = compiler.as_sql()
    columns = [expression for expression, *_ in compiler.select]
    return _Statement(text, params, compiler.get_converters(columns))


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
