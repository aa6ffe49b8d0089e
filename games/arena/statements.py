"""Bulk statements for thousands of rows of a table, for both databases."""

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import Any, Final

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import DateField, Model
from django.utils import timezone

Row = Sequence[Any]

#: Rows of one statement on SQLite, which takes some 30,000 values at most.  One a row would take
#: the interpreter's lock as often; one for all would be parsed again each time.
PORTION: Final = 200

# Every name in these statements is a model's; values are always passed as parameters.
# ruff: noqa: S608


class GivenRows:
    """Inserts, replaces or updates rows of a model: a value for each named field, in order.
    ``keys``: the fields, first among the names, by which a row is found again.
    """

    def __init__(self, model: type[Model], names: Sequence[str], keys: Sequence[str] = ()) -> None:
        self._fields: list[Any] = [model._meta.get_field(name) for name in names]
        self._moments = [
            place for place, field in enumerate(self._fields) if isinstance(field, DateField)
        ]
        table, columns = model._meta.db_table, [f'"{field.column}"' for field in self._fields]
        self._columns = ", ".join(columns)
        self._into = f'INSERT INTO "{table}" ({self._columns}) SELECT {self._columns} FROM'
        own, others = columns[: len(keys)], columns[len(keys) :]
        changes = ", ".join(f"{column} = excluded.{column}" for column in others)
        self._otherwise = f" ON CONFLICT ({', '.join(own)}) DO UPDATE SET {changes}"
        changes = ", ".join(f"{column} = given.{column}" for column in others)
        self._update = f'UPDATE "{table}" SET {changes} FROM'
        self._same = "".join(f' AND "{table}".{key} = given.{key}' for key in own)
        named = (f"column{place} AS {column}" for place, column in enumerate(columns, 1))
        self._values = f"SELECT {', '.join(named)} FROM (VALUES "
        self._row = f"({', '.join('%s' for _ in columns)})"

    def insert(self, rows: Sequence[Row]) -> None:
        """Insert rows; existing rows stay unchanged."""
        self._run(self._into, " ON CONFLICT DO NOTHING", rows)

    def upsert(self, rows: Sequence[Row], that: str = "true", of: Sequence[Any] = ()) -> int:
        """Insert or change the rows for which the condition ``that`` holds, in which a row is
        ``given`` and whose parameters are ``of``; return their number.
        """
        return self._run(self._into, self._otherwise, rows, that, of)

    def update(self, rows: Sequence[Row]) -> None:
        self._run(self._update, self._same, rows)

    def _given(self, count: int) -> str:
        if connection.vendor == "postgresql":
            # Drop the length from the type, so that a long value is refused, not cut.
            kinds = [re.sub(r"\(\d+\)", "", field.db_type(connection)) for field in self._fields]
            arrays = ", ".join(f"%s::{kind}[]" for kind in kinds)
            return f"SELECT * FROM unnest({arrays}) AS given({self._columns})"
        return f"{self._values}{', '.join([self._row] * count)})"

    def _run(
        self, head: str, tail: str, rows: Sequence[Row], that: str = "true", of: Sequence[Any] = ()
    ) -> int:
        """Run ``head``, the given rows and ``tail`` as statements; return the number of rows."""
        count = 0
        database = connections[DEFAULT_DB_ALIAS]
        is_postgresql = database.vendor == "postgresql"
        size = max(len(rows), 1) if is_postgresql else PORTION
        with database.cursor() as cursor:
            for first in range(0, len(rows), size):
                portion = rows[first : first + size]
                given: list[Any]
                if is_postgresql:
                    given = [list(column) for column in zip(*portion, strict=True)]
                else:
                    given = list(chain.from_iterable(self._adapted(portion)))
                table = self._given(len(portion))
                # The WHERE keeps SQLite from parsing ON CONFLICT as part of a join.  Rows are not
                # returned: fetching one releases the interpreter's lock.
                cursor.execute(f"{head} ({table}) AS given WHERE {that}{tail}", [*given, *of])
                count += cursor.rowcount
        return count

    def _adapted(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Convert dates and instants to SQLite's storage format."""
        if not self._moments:
            return rows
        changed = [list(row) for row in rows]
        for row in changed:
            for place in self._moments:
                if isinstance(row[place], datetime):
                    row[place] = str(connection.ops.adapt_datetimefield_value(row[place]))
                elif row[place] is not None:
                    row[place] = row[place].isoformat()
        return changed


def stored(at: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(at)


def rows_of(columns: Sequence[str], rest: str, given: Sequence[Any]) -> list[list[Any]]:
    """Return the rows of a SELECT, in no order, ``rest`` being the statement from its FROM on;
    instants must not be among the columns.
    """
    listed = ", ".join(columns)
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(f"SELECT {listed} {rest}", list(given))
            return [list(row) for row in cursor.fetchall()]
        cursor.execute(f"SELECT json_group_array(json_array({listed})) {rest}", list(given))
        (text,) = cursor.fetchone()
    rows: list[list[Any]] = msgspec.json.decode(text)
    return rows


def moment() -> datetime:
    """Return the database's time, by which all processes agree; SQLite's is the machine's."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    found: datetime = now
    return found
