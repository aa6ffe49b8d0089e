"""Triggers that make the transfer table append-only, whoever writes to it.

They are put in place after every migrate, because SQLite loses a table's
triggers when Django rebuilds it.  A refused statement is an IntegrityError.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "economy_transfer"
_REFUSAL: Final = "transfers are only ever added"
_ROUTINE: Final = "economy_transfer_refuse"
_BODY: Final = (
    f"BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END"
)

#: Name -> statement.  REPLACE would delete a row without firing a delete
#: trigger, so on SQLite an insert over an existing row is refused as well.
_SQLITE: Final[Mapping[str, str]] = {
    "economy_transfer_no_update": f"BEFORE UPDATE ON {TABLE}",
    "economy_transfer_no_delete": f"BEFORE DELETE ON {TABLE}",
    "economy_transfer_no_replace": (
        "BEFORE INSERT ON economy_transfer WHEN EXISTS"
        ' (SELECT 1 FROM economy_transfer WHERE id = NEW.id OR "key" = NEW."key")'
    ),
}
_POSTGRESQL: Final[Mapping[str, str]] = {
    "economy_transfer_no_change": f"BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW",
    "economy_transfer_no_truncate": f"BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT",
}


def install(connection: BaseDatabaseWrapper) -> None:
    """Put the guards in place; those that are there are replaced, so they are ours."""
    remove(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {_ROUTINE}() RETURNS trigger"
                f" LANGUAGE plpgsql AS $${_BODY}$$"
            )
        for name in _wanted(connection):
            cursor.execute(_create(connection, name))


def remove(connection: BaseDatabaseWrapper) -> None:
    """Take the guards away; for tests and repairs under a second pair of eyes."""
    suffix = f" ON {TABLE}" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for name in _wanted(connection):
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{suffix}")


def is_installed(connection: BaseDatabaseWrapper) -> bool:
    """Say whether every guard is in place, enabled, and unchanged."""
    return not missing(connection)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of the guards that are absent, disabled or not ours."""
    find = _on_postgresql if connection.vendor == "postgresql" else _on_sqlite
    return sorted(set(_wanted(connection)) - find(connection))


def has_table(connection: BaseDatabaseWrapper) -> bool:
    """Say whether there is anything to guard yet."""
    return TABLE in connection.introspection.table_names()


@contextmanager
def suspended(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Take the guards off for a while: tests only."""
    remove(connection)
    try:
        yield
    finally:
        install(connection)


def _wanted(connection: BaseDatabaseWrapper) -> Mapping[str, str]:
    return _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE


def _create(connection: BaseDatabaseWrapper, name: str) -> str:
    event = _wanted(connection)[name]
    if connection.vendor == "postgresql":
        return f"CREATE TRIGGER {name} {event} EXECUTE FUNCTION {_ROUTINE}()"
    return f"CREATE TRIGGER {name} {event} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"


def _on_sqlite(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE]
        )
        return {
            name for name, sql in cursor if name in _SQLITE and sql == _create(connection, name)
        }


def _on_postgresql(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
            " WHERE tgrelid = to_regclass(%s) AND tgenabled <> 'D'"
            " AND tgfoid = to_regproc(%s) AND prosrc = %s",
            [TABLE, _ROUTINE, _BODY],
        )
        return {name for (name,) in cursor}
