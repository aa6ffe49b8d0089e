"""Command that tests the newest backup."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rpsite.backups import trial


class Command(BaseCommand):
    """Restore the newest copy into a place of its own and audit it there."""

    help = "Restore the newest backup into a place of its own, and audit the ledger there."

    def handle(self, *args: Any, **options: Any) -> None:
        check = trial.try_newest()
        if check is None:
            raise CommandError("there is no backup to test, or one is being tested")
        if not check.is_good:
            raise CommandError(check.note)
        self.stdout.write(check.note)
