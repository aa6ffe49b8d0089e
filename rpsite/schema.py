"""Check that the database fits this version: neither from before 1.0 nor of a later version."""

from collections.abc import Collection
from typing import Any, Final

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

#: The site's applications that have tables.
OURS: Final = ("accounts", "arena", "contests", "economy", "events", "games", "ladder")
SENTENCE: Final = (
    "This database was made before version 1.0 of the site, whose tables were other ones: "
    "delete var/ (or make a new PostgreSQL database) and start the site again."
)
LATER: Final = (
    "This database was migrated by a later version of the site ({}): "
    "nothing was changed; migrate it with that version."
)
#: The message with which a web process runs all the same: during a deployment old and new run side
#: by side, and the old one comes back if the new one fails.
LATER_ID: Final = "rpsite.E006"
PENDING: Final = "The database lacks migrations of this version ({}): run ./run manage migrate"


def read_migrations() -> MigrationLoader:
    """Read the migrations of this version, and which of them the database has."""
    return MigrationLoader(connection, ignore_no_migrations=True)


def is_from_before(loader: MigrationLoader) -> bool:
    """Whether the applied migrations, as they are now, create other tables than there are."""
    done = [node for node in _own_migrations(loader) if node in loader.applied_migrations]
    labels = {label for label, _ in done}
    # A released database has no tables yet of migrations that are pending.
    state = loader.project_state(done).apps if _pending(loader) else apps
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        return any(
            not _columns(model) <= _there(cursor, model._meta.db_table, tables)
            for model in state.get_models()
            if model._meta.app_label in labels
        )


def _own_migrations(loader: MigrationLoader) -> list[tuple[str, str]]:
    return [node for node in sorted(loader.graph.nodes) if node[0] in OURS]


def _pending(loader: MigrationLoader) -> list[str]:
    return [".".join(m) for m in _own_migrations(loader) if m not in loader.applied_migrations]


def _columns(model: Any) -> set[str]:
    return {field.column for field in model._meta.local_concrete_fields if field.column}


def _there(cursor: Any, table: str, tables: set[str]) -> set[str]:
    if table not in tables:
        return set()
    return {each.name for each in connection.introspection.get_table_description(cursor, table)}


def unknown_migrations(loader: MigrationLoader) -> list[str]:
    """Return the database's migrations of installed applications that this version lacks."""
    known = {*loader.disk_migrations, *loader.replacements}
    return sorted(
        f"{label}.{name}"
        for label, name in set(loader.applied_migrations) - known
        if label in loader.migrated_apps
    )


def require_own_schema() -> None:
    """Refuse a database from before version 1.0. Raises CommandError."""
    if is_from_before(read_migrations()):
        raise CommandError(SENTENCE)


def require_present_schema() -> None:
    """Refuse a database that has not all tables of this version. Raises CommandError."""
    loader = read_migrations()
    if is_from_before(loader):
        raise CommandError(SENTENCE)
    if pending := _pending(loader):
        raise CommandError(PENDING.format(", ".join(pending)))


def require_no_later_schema() -> None:
    """Refuse to migrate the database of a later version. Raises CommandError."""
    if unknown := unknown_migrations(read_migrations()):
        raise CommandError(LATER.format(", ".join(unknown)))


def check_schema(databases: Collection[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report a database of another version, which ``migrate`` then leaves alone, if databases are
    named.
    """
    if not databases:
        return []
    loader = read_migrations()
    if is_from_before(loader):
        return [Error(SENTENCE, id="rpsite.E004")]
    unknown = unknown_migrations(loader)
    return [Error(LATER.format(", ".join(unknown)), id=LATER_ID)] if unknown else []
