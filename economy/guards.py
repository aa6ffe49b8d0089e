"""Triggers that make transfers and the records of administrators append-only.

They are put in place after every migrate, because SQLite loses a table's
triggers when Django rebuilds it.  A refused statement is an IntegrityError.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "economy_transfer"
RECORDS: Final = "economy_adminrecord"
_ROUTINES: Final = {TABLE: "economy_transfer_refuse", RECORDS: "economy_adminrecord_refuse"}
_REFUSALS: Final = {
    TABLE: "transfers are only ever added",
    RECORDS: "records are only ever added",
}


class _Guard(NamedTuple):
    """A trigger of a table."""

    table: str
    event: str


#: REPLACE would delete a row without firing a delete trigger, so on SQLite an insert over an
#: existing row is refused as well.
_SQLITE: Final[Mapping[str, _Guard]] = {
    "economy_transfer_no_update": _Guard(TABLE, f"BEFORE UPDATE ON {TABLE}"),
    "economy_transfer_no_delete": _Guard(TABLE, f"BEFORE DELETE ON {TABLE}"),
    "economy_transfer_no_replace": _Guard(
        TABLE,
        "BEFORE INSERT ON economy_transfer WHEN EXISTS"
        ' (SELECT 1 FROM economy_transfer WHERE id = NEW.id OR "key" = NEW."key")',
    ),
    "economy_adminrecord_no_update": _Guard(RECORDS, f"BEFORE UPDATE ON {RECORDS}"),
    "economy_adminrecord_no_delete": _Guard(RECORDS, f"BEFORE DELETE ON {RECORDS}"),
    "economy_adminrecord_no_replace": _Guard(
        RECORDS,
        "BEFORE INSERT ON economy_adminrecord WHEN EXISTS"
        " (SELECT 1 FROM economy_adminrecord WHERE id = NEW.id)",
    ),
}
_POSTGRESQL: Final[Mapping[str, _Guard]] = {
    f"{table}_{name}": _Guard(table, f"BEFORE {statement} ON {table} FOR EACH {each}")
    for table in (TABLE, RECORDS)
    for name, statement, each in (
        ("no_change", "UPDATE OR DELETE", "ROW"),
        ("no_truncate", "TRUNCATE", "STATEMENT"),
    )
}


def install(connection: BaseDatabaseWrapper) -> None:
    """Put the guards in place; those that are there are replaced, so they are ours."""
    remove(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for table, routine in _ROUTINES.items():
                cursor.execute(
                    f"CREATE OR REPLACE FUNCTION {routine}() RETURNS trigger"
                    f" LANGUAGE plpgsql AS $${_body(table)}$$"
                )
        for name in _wanted(connection):
            cursor.execute(_create(connection, name))


def remove(connection: BaseDatabaseWrapper) -> None:
    """Take the guards away; for tests and repairs under a second pair of eyes."""
    with connection.cursor() as cursor:
        for name, guard in _wanted(connection).items():
            suffix = f" ON {guard.table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{suffix}")


def is_installed(connection: BaseDatabaseWrapper) -> bool:
    """Say whether every guard is in place, enabled, and unchanged."""
    return not missing(connection)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of the guards that are absent, disabled or not ours."""
    find = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    there = find(connection)
    return [name for name in _wanted(connection) if name not in there]


def has_table(connection: BaseDatabaseWrapper) -> bool:
    """Say whether all that is to be guarded is there yet."""
    return {TABLE, RECORDS}.issubset(connection.introspection.table_names())


@contextmanager
def suspended(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Take the guards off for a while: tests only."""
    remove(connection)
    try:
        yield
    finally:
        install(connection)


def _wanted(connection: BaseDatabaseWrapper) -> Mapping[str, _Guard]:
    return _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE


def _body(table: str) -> str:
    return (
        f"BEGIN RAISE EXCEPTION '{_REFUSALS[table]}'"
        " USING ERRCODE = 'integrity_constraint_violation'; END"
    )


def _create(connection: BaseDatabaseWrapper, name: str) -> str:
    table, event = _wanted(connection)[name]
    if connection.vendor == "postgresql":
        return f"CREATE TRIGGER {name} {event} EXECUTE FUNCTION {_ROUTINES[table]}()"
    return f"CREATE TRIGGER {name} {event} BEGIN SELECT RAISE(ABORT, '{_REFUSALS[table]}'); END"


def _on_sqlite(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s)",
            [TABLE, RECORDS],
        )
        return {
            name for name, sql in cursor if name in _SQLITE and sql == _create(connection, name)
        }


def _on_postgresql(connection: BaseDatabaseWrapper) -> set[str]:
    found: set[str] = set()
    with connection.cursor() as cursor:
        for table, routine in _ROUTINES.items():
            cursor.execute(
                "SELECT tgname FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
                " WHERE tgrelid = to_regclass(%s) AND tgenabled <> 'D'"
                " AND tgfoid = to_regproc(%s) AND prosrc = %s",
                [table, routine, _body(table)],
            )
            found.update(name for (name,) in cursor)
    return found
