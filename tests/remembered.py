"""Rows of kits, made once: a test that asks for the same kit again gets the same rows inserted.

To open a match, to seat nine people and to begin takes 100 ms.  A function marked ``@remembered``
runs for real the first time.  The rows that it changed are kept, and its result.  The next test
that calls it with the same arguments, in a database with the same rows as then, gets the rows
inserted again, in some milliseconds, and models loaded again by their keys.  Calls may follow
each other: ``new_user``, ``MatchKit(…)`` and ``kit.start()`` are all remembered.

A call runs for real when anything else was written before it in the same test, when what is known
is older than ``FRESH``, when the test replaces parts of the program (``monkeypatch``), when it
commits, and on PostgreSQL.
"""

import functools
import io
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ParamSpec, TypeVar

from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.utils import timezone

from games.matches.processing import outage

P = ParamSpec("P")
Result = TypeVar("Result")
#: Table -> key of a row -> its values.
Rows = dict[str, dict[int, tuple[Any, ...]]]

#: Seconds for which a kit's clock is near enough to the real one; 400 were tried and did no harm.
FRESH = 30.0
#: Fixtures with which a call may do something else than it did before.
REPLACING = frozenset({"monkeypatch", "settings"})
#: Tables that no test changes.
_FIXED = ("auth_permission", "django_content_type", "django_migrations")


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it went: its changes as statements, and the pickled self and result."""

    changes: list[tuple[str, tuple[Any, ...]]]
    outcome: bytes
    after: "Standing"


class Standing:
    """A content of the database that calls have led to; the first one is that of every test."""

    def __init__(self, rows: Rows, begun: float) -> None:
        self.rows, self.begun = rows, begun
        self.calls: dict[tuple[str, bytes], Call] = {}

    def find(self, name: str, given: bytes) -> Call | None:
        """Return a call from here that is not too old."""
        call = self.calls.get((name, given))
        is_fresh = call is not None and time.monotonic() - call.after.begun < FRESH
        return call if is_fresh else None


class Memory:
    """The current state of the running test's database."""

    def __init__(self) -> None:
        self._first: Standing | None = None
        self._now: Standing | None = None
        #: SQLite's count of changed rows when it stood there.
        self._count = 0
        #: Seconds by which the rows that this test was given are older than it.
        self.behind = 0.0

    def begin(self, *, is_replacing: bool) -> None:
        """Begin a test, after its transaction."""
        self._now = None
        self.behind = 0.0
        if connection.vendor == "sqlite" and connection.in_atomic_block and not is_replacing:
            if self._first is None:
                self._first = Standing(_read_rows(), 0.0)
            self._stand(self._first)

    def standing(self) -> Standing | None:
        """Return where the database stands; None when something else was written since."""
        if self._now is None or connection.connection.total_changes != self._count:
            self._now = None
        return self._now

    def recall(self, call: Call) -> Any:
        """Make the changes of a call again; return its fields and its result."""
        self.behind = self.behind or time.monotonic() - call.after.begun
        with connection.cursor() as cursor:
            for statement, values in call.changes:
                cursor.execute(statement, values)
        self._stand(call.after)
        return _Loader(io.BytesIO(call.outcome)).load()

    def record(self, here: Standing, key: tuple[str, bytes], run: Callable[[], Any]) -> Any:
        """Run a call for real and keep it; ``run`` returns its fields and its result."""
        begun = here.begun or time.monotonic()
        # Calls inside of this one are part of it.
        self._now = None
        outcome = run()
        if (dumped := _dumped(outcome)) is not None:
            after = Standing(_read_rows(), begun)
            here.calls[key] = Call(list(_changes(here.rows, after.rows)), dumped, after)
            self._stand(after)
        return outcome

    def _stand(self, here: Standing) -> None:
        self._now, self._count = here, connection.connection.total_changes


memory = Memory()


def kit_time() -> datetime:
    """Return the time at which a kit opens.

    All kits of a test open at one time: where the first one is remembered, the next is no younger.
    """
    return timezone.now() - timedelta(seconds=memory.behind)


def remembered(function: Callable[P, Result]) -> Callable[P, Result]:
    """Run a function, a method or an ``__init__`` once; see this file's description."""
    name = f"{function.__module__}.{function.__qualname__}"
    is_method = "." in function.__qualname__

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        here = memory.standing()
        owner: Any = args[0] if is_method else None
        fields: dict[str, Any] = vars(owner) if is_method else {}
        # Besides rows a kit sets one thing: which web process this one is.
        process = outage._own
        known_as = process.process_id
        given = here and _dumped((known_as, type(owner), fields, args[is_method:], kwargs))
        if here is None or given is None:
            return function(*args, **kwargs)
        if known := here.find(name, given):
            result, news, process.process_id = memory.recall(known)
            fields.update(news)
        else:
            result, *_ = memory.record(
                here,
                (name, given),
                lambda: (function(*args, **kwargs), fields, process.process_id),
            )
        return result

    return call


class _Dumper(pickle.Pickler):
    """Keeps rows of models as their keys."""

    def persistent_id(self, value: Any) -> Any:
        return (value._meta.label, value.pk) if isinstance(value, Model) else None


class _Loader(pickle.Unpickler):
    """Loads rows of models again."""

    def persistent_load(self, value: Any) -> Any:
        label, pk = value
        return apps.get_model(label)._default_manager.get(pk=pk)


def _dumped(value: Any) -> bytes | None:
    """Return a value as bytes, None when it cannot be pickled: then nothing is remembered."""
    file = io.BytesIO()
    try:
        _Dumper(file).dump(value)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    return file.getvalue()


@functools.cache
def _columns() -> dict[str, list[str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = [name for (name,) in cursor.fetchall() if name not in _FIXED]
        found = {}
        for table in tables:
            cursor.execute(f"PRAGMA table_info({table})")
            found[table] = [row[1] for row in cursor.fetchall()]
    return found


def _read_rows() -> Rows:
    """Return all rows as SQLite keeps them: a plus sign keeps a column from being converted."""
    found: Rows = {}
    with connection.cursor() as cursor:
        for table, columns in _columns().items():
            values = ", ".join(f'+"{column}"' for column in columns)
            cursor.execute(f"SELECT rowid, {values} FROM {table}")
            found[table] = {row[0]: row[1:] for row in cursor.fetchall()}
    return found


def _changes(before: Rows, after: Rows) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Give the statements that lead from one content of the database to another."""
    for table, columns in _columns().items():
        old, new = before[table], after[table]
        if old == new:
            continue
        listed = ", ".join(f'"{column}"' for column in columns)
        places = ", ".join("%s" for _ in columns)
        for key in old.keys() - new.keys():
            yield f"DELETE FROM {table} WHERE rowid = %s", (key,)
        for key, row in new.items():
            if key not in old:
                yield f"INSERT INTO {table} ({listed}) VALUES ({places})", row
            elif row != old[key]:
                sets = ", ".join(f'"{column}" = %s' for column in columns)
                yield f"UPDATE {table} SET {sets} WHERE rowid = %s", (*row, key)
