"""Sets of triggers that the site needs: installed after every migrate, and checked."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


class Trigger(NamedTuple):
    """A table, the event in SQL, and the statement on SQLite or PostgreSQL's routine."""

    table: str
    event: str
    does: str


# No migration creates them: SQLite loses a table's triggers when Django rebuilds it.
@dataclass(frozen=True)
class TriggerSet:
    """Triggers by name for each database, and PostgreSQL's routines with their bodies; ``needs``
    are the tables without which they cannot be there.
    """

    needs: frozenset[str]
    sqlite: Mapping[str, Trigger]
    postgresql: Mapping[str, Trigger]
    routines: Mapping[str, str]

    def install(self, connection: BaseDatabaseWrapper) -> None:
        self.remove(connection)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                for routine, body in self.routines.items():
                    cursor.execute(
                        f"CREATE OR REPLACE FUNCTION {routine}() RETURNS trigger"
                        f" LANGUAGE plpgsql AS $${body}$$"
                    )
            for name in self.wanted(connection):
                cursor.execute(self._create(connection, name))

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            for name, trigger in self.wanted(connection).items():
                suffix = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{suffix}")

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Return the names of the triggers that are absent, disabled or not ours."""
        find = self._on_postgresql if connection.vendor == "postgresql" else self._on_sqlite
        there = find(connection)
        return [name for name in self.wanted(connection) if name not in there]

    def has_tables(self, connection: BaseDatabaseWrapper) -> bool:
        return self.needs.issubset(connection.introspection.table_names())

    @contextmanager
    def suspended(self, connection: BaseDatabaseWrapper) -> Iterator[None]:
        """Remove the triggers during a ``with`` block: tests only."""
        self.remove(connection)
        try:
            yield
        finally:
            self.install(connection)

    def wanted(self, connection: BaseDatabaseWrapper) -> Mapping[str, Trigger]:
        return self.postgresql if connection.vendor == "postgresql" else self.sqlite

    def _create(self, connection: BaseDatabaseWrapper, name: str) -> str:
        trigger = self.wanted(connection)[name]
        if connection.vendor == "postgresql":
            return f"CREATE TRIGGER {name} {trigger.event} EXECUTE FUNCTION {trigger.does}()"
        return f"CREATE TRIGGER {name} {trigger.event} BEGIN {trigger.does}; END"

    def _on_sqlite(self, connection: BaseDatabaseWrapper) -> set[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            return {
                name
                for name, sql in cursor
                if name in self.sqlite and sql == self._create(connection, name)
            }

    def _on_postgresql(self, connection: BaseDatabaseWrapper) -> set[str]:
        found: set[str] = set()
        with connection.cursor() as cursor:
            for name, trigger in self.postgresql.items():
                cursor.execute(
                    "SELECT 1 FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
                    " WHERE tgname = %s AND tgrelid = to_regclass(%s) AND tgenabled <> 'D'"
                    " AND tgfoid = to_regproc(%s) AND prosrc = %s",
                    [name, trigger.table, trigger.does, self.routines[trigger.does]],
                )
                if cursor.fetchone() is not None:
                    found.add(name)
        return found


def append_only(
    tables: Mapping[str, tuple[str, str | None]], *, deletable: Mapping[str, str] | None = None
) -> TriggerSet:
    """Return triggers that refuse to change or delete rows: table -> the refusal, and the SQL
    condition of a row that NEW would replace (None: inserts pass). ``deletable``: table -> the SQL
    condition under which OLD may go.
    """
    sqlite, postgresql, routines = {}, {}, {}
    for table, (refusal, replaced) in tables.items():
        refuse = f"SELECT RAISE(ABORT, '{refusal}')"
        may_go = (deletable or {}).get(table)
        events = {
            "update": f"BEFORE UPDATE ON {table}",
            "delete": f"BEFORE DELETE ON {table}" + (f" WHEN NOT ({may_go})" if may_go else ""),
        }
        if replaced is not None:
            # REPLACE on SQLite deletes a row without firing a delete trigger.
            there = f"EXISTS (SELECT 1 FROM {table} WHERE {replaced})"  # noqa: S608 - constants
            events["replace"] = f"BEFORE INSERT ON {table} WHEN {there}"
        for name, event in events.items():
            sqlite[f"{table}_no_{name}"] = Trigger(table, event, refuse)
        routine = f"{table}_refuse"
        # An IF of its own: OLD has no value in a TRUNCATE.
        may = f"IF TG_OP = 'DELETE' THEN IF {may_go} THEN RETURN OLD; END IF; END IF; "
        routines[routine] = (
            f"BEGIN {may if may_go else ''}RAISE EXCEPTION '{refusal}'"
            " USING ERRCODE = 'integrity_constraint_violation'; END"
        )
        for name, event in (
            ("change", f"BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW"),
            ("truncate", f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT"),
        ):
            postgresql[f"{table}_no_{name}"] = Trigger(table, event, routine)
    return TriggerSet(frozenset(tables), sqlite, postgresql, routines)


_registered: Final[list[TriggerSet]] = []


def register(triggers: TriggerSet) -> TriggerSet:
    """Register a set for the start-up check, the audit and its command."""
    if triggers not in _registered:
        _registered.append(triggers)
    return triggers


def install_all(connection: BaseDatabaseWrapper) -> None:
    """Install every registered set whose tables exist."""
    for triggers in _registered:
        if triggers.has_tables(connection):
            triggers.install(connection)


def all_missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of the registered triggers that are absent, disabled or not ours."""
    return [
        name
        for triggers in _registered
        if triggers.has_tables(connection)
        for name in triggers.missing(connection)
    ]


def check_guards(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report every database that lacks required triggers."""
    return [
        Error(
            f"The database {alias!r} lacks guards: {', '.join(lost)}.",
            hint="Run `manage.py audit_ledger --install-guards`, then `--whole`.",
            id="economy.E001",
        )
        for alias in databases or ()
        if (lost := all_missing(connections[alias]))
    ]
