"""Command that prepares a release: a copy of the database, migrations, caches, static files."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from rpsite import backups
from rpsite.backups.files import BackupFailed
from rpsite.schema import require_no_later_schema, require_own_schema


class Command(BaseCommand):
    """Do what a release needs before its processes start."""

    help = "Copy a database that lacks migrations, migrate it, and collect the static files."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="say what it would do")
        parser.add_argument("--without-copy", action="store_true", help="make no copy before")

    def handle(self, *args: Any, **options: Any) -> None:
        do = foretell if options["dry_run"] else prepare
        do(self.stdout.write, has_copy=not options["without_copy"])


Say = Callable[[str], None]


def prepare(say: Say, *, has_copy: bool = True) -> None:
    """Bring the database to this version, after a copy of one in use, and collect the files. Raises
    CommandError, with nothing done, if it is of another time or no copy could be made.
    """
    require_own_schema()
    require_no_later_schema()
    if pending := _copied(say, has_copy=has_copy):
        say(f"migrating: {', '.join(pending)}")
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    connections.close_all()


def foretell(say: Say, *, has_copy: bool = True) -> None:
    """Say what ``prepare`` would do to the database; raises CommandError as it would."""
    require_own_schema()
    require_no_later_schema()
    is_new, pending = _plan()
    if not pending:
        say("no migrations: the database stays as it is")
    elif is_new:
        say(f"a new database: {_counted(pending)}, no copy")
    else:
        copy = f"after a copy of it into {backups.FOLDER}" if has_copy else "without a copy"
        say(f"{_counted(pending)} {copy}: {', '.join(pending)}")
    connections.close_all()


def _copied(say: Say, *, has_copy: bool) -> list[str]:
    """Copy a database in use that is to be migrated; return the migrations that it lacks."""
    is_new, pending = _plan()
    if is_new or not pending:
        return []
    if not has_copy:
        say(f"{_counted(pending)}, without a copy")
        return pending
    try:
        made = backups.make_whole()
    except BackupFailed as problem:
        raise CommandError(
            f"{_counted(pending)} wait, and no copy could be made ({problem}): nothing was changed."
            " Copy the database yourself, then say --without-copy."
        ) from None
    say(f"{_counted(pending)}, a copy is at {made}")
    return pending


def _plan() -> tuple[bool, list[str]]:
    """Return whether the database has never been migrated, and the migrations that it lacks."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    is_new = not executor.loader.applied_migrations
    return is_new, [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _counted(pending: list[str]) -> str:
    return f"{len(pending)} migration{'s' * (len(pending) != 1)}"
