"""Check that the database fits this version: neither an older one nor one of a later version.

Source: docs/how-to/run-a-site.md "The database".
"""

from collections.abc import Collection
from typing import Any, Final

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

#: The site's applications that have tables.
OURS: Final = ("accounts", "arena", "contests", "economy", "games")
SENTENCE: Final = (
    "This database was made by an earlier state of the site, whose tables were other ones: "
    "delete var/ (or make a new PostgreSQL database) and start the site again."
)
LATER: Final = (
    "This database was migrated by a later version of the site ({}): "
    "nothing was changed; migrate it with that version."
)


def is_from_before() -> bool:
    """Whether recorded migrations create other tables than the present ones."""
    recorder = MigrationRecorder(connection)
    if not recorder.has_table():
        return False
    noted = set(recorder.applied_migrations())
    done = {label for label, _ in noted}
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        return any(
            not _columns(model) <= _there(cursor, model._meta.db_table, tables)
            for config in apps.get_app_configs()
            if config.label in OURS and config.label in done
            for model in config.get_models()
        )


def _columns(model: Any) -> set[str]:
    return {field.column for field in model._meta.local_concrete_fields if field.column}


def _there(cursor: Any, table: str, tables: set[str]) -> set[str]:
    if table not in tables:
        return set()
    return {each.name for each in connection.introspection.get_table_description(cursor, table)}


def unknown_migrations() -> list[str]:
    """Return the database's migrations of installed applications that this version lacks."""
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    known = {*loader.disk_migrations, *loader.replacements}
    return sorted(
        f"{label}.{name}"
        for label, name in set(loader.applied_migrations) - known
        if label in loader.migrated_apps
    )


def require_own_schema() -> None:
    """Refuse a database of an incompatible earlier version; raises CommandError."""
    if is_from_before():
        raise CommandError(SENTENCE)


def require_no_later_schema() -> None:
    """Refuse to migrate the database of a later version; raises CommandError."""
    if unknown := unknown_migrations():
        raise CommandError(LATER.format(", ".join(unknown)))


def check_schema(databases: Collection[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report a database of another version, which ``migrate`` then leaves alone.

    Only if databases are named.  A web process runs on a database of a later version: during a
    deployment old and new run side by side, and the old one comes back if the new one fails.
    """
    if not databases:
        return []
    if is_from_before():
        return [Error(SENTENCE, id="rpsite.E004")]
    unknown = unknown_migrations()
    return [Error(LATER.format(", ".join(unknown)), id="rpsite.E006")] if unknown else []
