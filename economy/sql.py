"""Statements for many rows, on SQLite and PostgreSQL."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache, cached_property
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import DateField, Model, QuerySet

Row = Sequence[Any]
Known = TypeVar("Known", bound=Model)

# Every name in these texts is a model's; values are always parameters.
# ruff: noqa: S608

# ``python -m bench.raw_sql`` measures what raw SQL gains; each module of it tells the figure.  Only
# backups, doctor, triggers and the SQLite backend do not: there is no other way.


# Raw SQL: the ORM builds an expression for every value of every row.  It took 8.4 times the time to
# insert 20 entries, 118 to update 20 matches (SQLite; 1.9 and 26 on PostgreSQL; 2026-11-27).
class BulkRows:
    """Writes and reads rows of a model: a value for each named field, in order. ``keys``: the
    fields by which ``upsert`` finds a row.
    """

    def __init__(
        self, model: type[Model], names: Iterable[str], keys: Collection[str] = ()
    ) -> None:
        self._fields: list[Any] = [model._meta.get_field(name) for name in names]
        self._table = f'"{model._meta.db_table}"'
        self._columns = [f'"{field.column}"' for field in self._fields]
        self._listed = ", ".join(self._columns)
        self._keys = [f'"{field.column}"' for field in self._fields if field.name in keys]
        self._moments = [
            place for place, field in enumerate(self._fields) if isinstance(field, DateField)
        ]

    def insert(self, rows: Sequence[Row]) -> None:
        self._run(self._insertion, rows)

    def update(self, rows: Sequence[Row]) -> None:
        """Update all fields of the rows; the last field is the key."""
        self._run(self._update, rows)

    def upsert(
        self, rows: Sequence[Row], that: str = "true", of: Row = (), *, adds: bool = False
    ) -> int:
        """Insert or change the rows for which the condition ``that`` holds, in which a row is
        ``given`` and whose parameters are ``of``; return their number. No text may have a NUL.
        ``adds``: add to the stored values.
        """
        if not rows:
            return 0
        changes = ", ".join(
            f"{column} = excluded.{column}" + (f" + {self._table}.{column}" if adds else "")
            for column in self._columns
            if column not in self._keys
        )
        if connection.vendor != "postgresql":
            rows = self._with_moments(rows, _as_text)
        with connection.cursor() as cursor:
            # The WHERE keeps SQLite from parsing ON CONFLICT as part of a join.
            cursor.execute(
                f"INSERT INTO {self._table} ({self._listed}) SELECT {self._listed}"
                f" FROM {self._given} WHERE {that}"
                f" ON CONFLICT ({', '.join(self._keys)}) DO UPDATE SET {changes}",
                [*as_given(rows), *of],
            )
            return int(cursor.rowcount)

    def select(self, keys: Iterable[int]) -> list[Row]:
        """Return the rows whose last field, the key, is one of these, in no order."""
        is_one, given = is_any(self._columns[-1], keys, "bigint")
        rows = fetch(f"SELECT {self._listed} FROM {self._table} WHERE {is_one}", [given])
        return rows if connection.vendor == "postgresql" else self._with_moments(rows, _in_utc)

    @cached_property
    def _given(self) -> str:
        """The rows of ``as_given`` as a table."""
        if connection.vendor == "postgresql":
            # Types without length: a too long text is refused, not cut.
            kinds = [re.sub(r"\(\d+\)", "", field.db_type(connection)) for field in self._fields]
            arrays = ", ".join(f"%s::{kind}[]" for kind in kinds)
            return f"unnest({arrays}) AS given({self._listed})"
        values = (f"json_extract(value, '$[{n}]') AS {c}" for n, c in enumerate(self._columns))
        return f"(SELECT {', '.join(values)} FROM json_each(%s)) AS given"

    # One row a statement on SQLite takes half the time of JSON.
    @cached_property
    def _insertion(self) -> str:
        into = f"INSERT INTO {self._table} ({self._listed})"
        if connection.vendor == "postgresql":
            return f"{into} SELECT * FROM {self._given}"
        return f"{into} VALUES ({', '.join(['%s'] * len(self._columns))})"

    @cached_property
    def _update(self) -> str:
        *columns, key = self._columns
        if connection.vendor == "postgresql":
            changes = ", ".join(f"{column} = given.{column}" for column in columns)
            same = f"{self._table}.{key} = given.{key}"
            return f"UPDATE {self._table} SET {changes} FROM {self._given} WHERE {same}"
        changes = ", ".join(f"{column} = %s" for column in columns)
        return f"UPDATE {self._table} SET {changes} WHERE {key} = %s"

    def _run(self, statement: str, rows: Sequence[Row]) -> None:
        if not rows:
            return
        # The proxy ``connection`` finds the connection of the thread again at each attribute.
        database = connections[DEFAULT_DB_ALIAS]
        with database.cursor() as cursor:
            if database.vendor == "postgresql":
                cursor.execute(statement, as_given(rows))
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


def _as_text(at: date) -> str:
    """Return a date or an instant as Django stores it in SQLite; nearly all are in UTC already."""
    if not isinstance(at, datetime):
        return at.isoformat()
    if at.tzinfo is not UTC:
        return str(connection.ops.adapt_datetimefield_value(at))
    return at.replace(tzinfo=None).isoformat(" ")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


def fetch(statement: str, given: Sequence[Any] = ()) -> list[Row]:
    """Return the rows of a SELECT; on SQLite instants are naive."""
    database = connections[DEFAULT_DB_ALIAS]
    instant = database.ops.adapt_datetimefield_value
    with database.cursor() as cursor:
        cursor.execute(statement, [instant(v) if isinstance(v, datetime) else v for v in given])
        rows: list[Row] = cursor.fetchall()
    return rows


def read_rows(model: type[Known], column: str, keys: Iterable[int]) -> list[Known]:
    """Return the rows of a model in which a column of integers is one of these: one query."""
    # Raw SQL: the ORM took 1.2 times the time for 20 matches, 1.8 for one (SQLite; 1.2 and 1.4 on
    # PostgreSQL; 2026-11-27).
    is_one, given = is_any(f'"{column}"', keys, "bigint")
    statement = f'SELECT * FROM "{model._meta.db_table}" WHERE {is_one}'
    return list(model._default_manager.raw(statement, [given]))


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
    # Raw SQL: the ORM took 3.1 times the time on an empty database, as after each test, and as
    # much on a filled one (2026-11-27).
    return fetch(*_text_of(query, model, connection.vendor))


@cache
def _text_of(
    query: Callable[[Any], QuerySet[Any, Any]], model: type[Model], vendor: str
) -> tuple[str, tuple[Any, ...]]:
    return query(model._default_manager.all()).query.sql_with_params()
