"""Command that restores a copy of the database, while the site does not run."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from rpsite import backups
from rpsite.backups.files import BackupFailed, InUse, NoBackup, NotEmpty


def _choice() -> str:
    """Return the copies from which one is to be named, the newest last."""
    if not (made := backups.made()):
        return f"There is no copy in {backups.FOLDER}; name one by its path."
    rows = [
        f"  {path.name}  {path.stat().st_size / 1e6:,.1f} MB,"
        f" {(time.time() - path.stat().st_mtime) / 3600:,.1f} hours old"
        for path in made
    ]
    return "\n".join((f"Name one of the copies in {backups.FOLDER}:", *rows))


class Command(BaseCommand):
    """Restore a copy unless data would be lost, and audit the ledger afterwards."""

    help = "Replace the database by a copy made by `backup`. The site must not run."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", nargs="?", help="a path, or a name in var/backups/")
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="replace an existing database, after a copy of it was made",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["backup"] is None:
            raise CommandError(_choice())
        kept = self._restore(options["backup"], overwrite=options["overwrite"])
        if kept is not None:
            self.stdout.write(f"what was there is kept as {kept}")
        self.stdout.write(f"the database is that of {Path(options['backup']).name} now")
        call_command("audit_ledger", whole=True, stdout=self.stdout, stderr=self.stderr)

    def _restore(self, name: str, *, overwrite: bool) -> Path | None:
        try:
            return backups.restore(backups.find(name), overwrite=overwrite)
        except NotEmpty as problem:
            raise CommandError(
                f"there is a database already ({problem}). With --overwrite a copy of it is kept"
                " in var/backups/, and the backup takes its place: everything that has happened"
                " since is not in it."
            ) from None
        except InUse as problem:
            raise CommandError(
                f"somebody is connected to {problem}: stop the site first. Nothing was changed."
            ) from None
        except (NoBackup, BackupFailed) as problem:
            raise CommandError(f"{problem}. Nothing was changed.") from None
