"""Triggers that make transfers and the records of administrators append-only.

A refused statement is an IntegrityError.
"""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

from economy.triggers import Trigger, TriggerSet, register

TABLE: Final = "economy_transfer"
RECORDS: Final = "economy_adminrecord"
_ROUTINES: Final = {TABLE: "economy_transfer_refuse", RECORDS: "economy_adminrecord_refuse"}
_REFUSALS: Final = {
    TABLE: "transfers are only ever added",
    RECORDS: "records are only ever added",
}


def _on_sqlite(table: str, event: str) -> Trigger:
    return Trigger(table, event, f"SELECT RAISE(ABORT, '{_REFUSALS[table]}')")


_GUARDS: Final = register(
    TriggerSet(
        needs=frozenset({TABLE, RECORDS}),
        # REPLACE would delete a row without firing a delete trigger, so on SQLite an insert over
        # an existing row is refused as well.
        sqlite={
            "economy_transfer_no_update": _on_sqlite(TABLE, f"BEFORE UPDATE ON {TABLE}"),
            "economy_transfer_no_delete": _on_sqlite(TABLE, f"BEFORE DELETE ON {TABLE}"),
            "economy_transfer_no_replace": _on_sqlite(
                TABLE,
                "BEFORE INSERT ON economy_transfer WHEN EXISTS"
                ' (SELECT 1 FROM economy_transfer WHERE id = NEW.id OR "key" = NEW."key")',
            ),
            "economy_adminrecord_no_update": _on_sqlite(RECORDS, f"BEFORE UPDATE ON {RECORDS}"),
            "economy_adminrecord_no_delete": _on_sqlite(RECORDS, f"BEFORE DELETE ON {RECORDS}"),
            "economy_adminrecord_no_replace": _on_sqlite(
                RECORDS,
                "BEFORE INSERT ON economy_adminrecord WHEN EXISTS"
                " (SELECT 1 FROM economy_adminrecord WHERE id = NEW.id)",
            ),
        },
        postgresql={
            f"{table}_{name}": Trigger(
                table, f"BEFORE {statement} ON {table} FOR EACH {each}", routine
            )
            for table, routine in _ROUTINES.items()
            for name, statement, each in (
                ("no_change", "UPDATE OR DELETE", "ROW"),
                ("no_truncate", "TRUNCATE", "STATEMENT"),
            )
        },
        routines={
            routine: (
                f"BEGIN RAISE EXCEPTION '{_REFUSALS[table]}'"
                " USING ERRCODE = 'integrity_constraint_violation'; END"
            )
            for table, routine in _ROUTINES.items()
        },
    )
)

install = _GUARDS.install
remove = _GUARDS.remove
missing = _GUARDS.missing
has_table = _GUARDS.has_tables
suspended = _GUARDS.suspended


def is_installed(connection: BaseDatabaseWrapper) -> bool:
    """Whether every guard is installed, enabled and unchanged."""
    return not missing(connection)
