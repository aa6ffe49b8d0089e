"""Triggers that make transfers and the records of administrators append-only."""

from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

from economy.triggers import append_only, register

_GUARDS: Final = register(
    append_only(
        {
            "economy_transfer": (
                "transfers are only ever added",
                'id = NEW.id OR "key" = NEW."key"',
            ),
            "economy_adminrecord": ("records are only ever added", "id = NEW.id"),
        }
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
