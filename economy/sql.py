"""Statements for many rows, on SQLite and PostgreSQL."""

import json
import re
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    Expression,
    Field,
    IntegerField,
    Model,
    QuerySet,
)
from django.db.models.base import ModelState

Row = Sequence[Any]
Known = TypeVar("Known", bound=Model)
_json: Final = json.JSONEncoder().encode
#: Booleans as SQLite stores them.
_BOOLEANS: Final = {0: False, 1: True}

# Every name in these texts is a model's; values are always parameters.
# ruff: noqa: S608

# ``python -m bench.raw_sql`` measures what raw SQL gains; each module of it tells the figure.  Only
# backups, doctor, triggers and the SQLite backend do not: there is no other way.


class _Here(threading.local):
    """This thread's connection: to find it takes Django three calls and an exception."""

    def __getattr__(self, name: str) -> Any:
        self.database: Any = connections[DEFAULT_DB_ALIAS]
        return self.database


_here: Final = _Here()


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
        if not is_postgresql():
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
        return rows if is_postgresql() else self._with_moments(rows, _in_utc)

    @cached_property
    def _given(self) -> str:
        """The rows of ``as_given`` as a table."""
        if is_postgresql():
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
        if is_postgresql():
            return f"{into} SELECT * FROM {self._given}"
        return f"{into} VALUES ({', '.join(['%s'] * len(self._columns))})"

    @cached_property
    def _update(self) -> str:
        *columns, key = self._columns
        if is_postgresql():
            changes = ", ".join(f"{column} = given.{column}" for column in columns)
            same = f"{self._table}.{key} = given.{key}"
            return f"UPDATE {self._table} SET {changes} FROM {self._given} WHERE {same}"
        changes = ", ".join(f"{column} = %s" for column in columns)
        return f"UPDATE {self._table} SET {changes} WHERE {key} = %s"

    def _run(self, statement: str, rows: Sequence[Row]) -> None:
        if not rows:
            return
        database = _here.database
        if is_postgresql():
            with database.cursor() as cursor:
                cursor.execute(statement, as_given(rows))
        else:
            database.run(statement, self._with_moments(rows, _as_text), is_many=True)

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
    """Return the rows of a statement; on SQLite instants are naive."""
    database = _here.database
    if datetime in map(type, given):
        instant = database.ops.adapt_datetimefield_value
        given = [instant(v) if type(v) is datetime else v for v in given]
    rows: list[Row]
    if is_postgresql():
        with database.cursor() as cursor:
            cursor.execute(statement, given)
            rows = cursor.fetchall()
    else:
        rows = database.run(statement, given)
    return rows


@cache
def is_postgresql() -> bool:
    return connection.vendor == "postgresql"


def is_any(column: str, values: Iterable[Any], kind: str) -> tuple[str, Any]:
    """Return the condition "column is one of these" and its one parameter; its text is constant.
    ``kind`` is PostgreSQL's name of the column's type.
    """
    if is_postgresql():
        return f"{column} = ANY(%s::{kind}[])", list(values)
    return f"{column} IN (SELECT value FROM json_each(%s))", _json(list(values))


def as_given(rows: Sequence[Row]) -> list[Any]:
    """Return rows as the parameters of a statement that joins them: arrays, or one JSON text."""
    if is_postgresql():
        return [list(column) for column in zip(*rows, strict=True)]
    return [_json(rows)]


class Given(Expression):
    """A value that comes with each run, by its name; ``field`` says how it is stored."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name
        #: The type of a value that needs no preparation by the field.
        kinds = {IntegerField: int, CharField: str, DateTimeField: datetime}
        self.taken = next((kind for of, kind in kinds.items() if isinstance(field, of)), None)

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
    #: Of a query of models: what it adds to their fields.
    added: Sequence[str]
    #: The places of columns whose numbers are booleans: converters would be a call for each value.
    booleans: Sequence[int]


# To write the text again takes the ORM 0.3 to 1 ms, longer than most of these statements run.
class Compiled:
    """A query with ``Given`` where its values differ: of tuples (``values_list``) or of models."""

    def __init__(self, query: Callable[[], "QuerySet[Any, Any]"]) -> None:
        self._query = query

    def rows(self, **given: Any) -> list[Any]:
        database = _here.database
        text, params, converters, _, booleans = _compile(self._query, database.vendor)
        values = []
        for each in params:
            value = given[each.name] if isinstance(each, Given) else each
            if isinstance(each, GivenMany):
                value = list(value)
                value = value if is_postgresql() else _json(value)
            elif isinstance(each, Given) and type(value) is not each.taken:
                value = each.output_field.get_db_prep_value(value, database)
            values.append(value)
        rows: list[Any] = fetch(text, values)
        if converters or booleans:
            rows = [list(row) for row in rows]
        for place in booleans:
            for row in rows:
                row[place] = _BOOLEANS.get(row[place])
        for place, (makers, expression) in converters.items():
            for row in rows:
                for make in makers:
                    row[place] = make(row[place], expression, database)
        return rows

    def objects(self, model: type[Known], **given: Any) -> list[Known]:
        names = [field.attname for field in model._meta.concrete_fields]
        names += _compile(self._query, _here.database.vendor).added
        return [made(model, names, row) for row in self.rows(**given)]


def made(model: type[Known], names: Iterable[str], row: Row) -> Known:
    """Return a stored object with these fields, the others deferred."""
    # As ``from_db``, without the signals and defaults of ``__init__``: half of the time.
    one = model.__new__(model)
    one._state = ModelState()
    one._state.adding, one._state.db = False, DEFAULT_DB_ALIAS
    one.__dict__.update(zip(names, row, strict=True))
    return one


# The ORM took 390 Python calls for a seat, 760 for a match; this takes 25 and 30.
def create(rows: Sequence[Model]) -> None:
    """Store new rows of one model and set their keys. No field may need more than its value."""
    for row in rows:
        text, values = _creation(type(row))
        [(row.pk,)] = fetch(text, values(row))
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


@cache
def _creation(model: type[Model]) -> tuple[str, Callable[[Model], Row]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns, values = ", ".join(f'"{field.column}"' for field in fields), ["%s"] * len(fields)
    text = f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({", ".join(values)})'
    assert model._meta.pk is not None
    names = attrgetter(*(field.attname for field in fields))
    return f'{text} RETURNING "{model._meta.pk.column}"', names


@cache
def _compile(query: Callable[[], "QuerySet[Any, Any]"], vendor: str) -> _Statement:
    compiler = query().query.get_compiler(DEFAULT_DB_ALIAS)
    text, params = compiler.as_sql()
    columns = [expression for expression, *_ in compiler.select]
    added = list(compiler.query.annotation_select)
    converters = compiler.get_converters(columns)
    # PostgreSQL has none for them.
    booleans = [at for at in converters if isinstance(columns[at].output_field, BooleanField)]
    for at in booleans:
        del converters[at]
    return _Statement(text, params, converters, added, booleans)


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


def fixed_rows(query: Callable[[Any], "QuerySet[Any, Any]"], model: type[Model]) -> list[Row]:
    """Run a query that depends only on the model."""
    return _fixed(query, model).rows()


@cache
def _fixed(query: Callable[[Any], "QuerySet[Any, Any]"], model: type[Model]) -> Compiled:
    return Compiled(lambda: query(model._default_manager.all()))
