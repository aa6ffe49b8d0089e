"""Command that copies the database, while the site runs or not."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from rpsite import backups
from rpsite.backups.files import BackupFailed


class Command(BaseCommand):
    """Make a backup and print its path."""

    help = "Copy the database into var/backups/ and delete the oldest copies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--whole",
            action="store_true",
            help="one file that needs no other, to take elsewhere; deletes no copy",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["whole"]:
                made = backups.make_whole()
            else:
                made = backups.make(kept=settings.BACKUPS_KEPT or None)
        except BackupFailed as problem:
            raise CommandError(f"no backup was made: {problem}") from None
        self.stdout.write(f"{made}: {made.stat().st_size:,} bytes")
