"""Command that deletes a user's account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User, named
from games.own_data.deletion import StillNeeded, delete_account


class Command(BaseCommand):
    """Blank an account for good; refuse where a game of it goes on."""

    help = "Delete an account for good: what names a person goes, its points go to the treasury."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--yes", action="store_true", help="it cannot be taken back")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(named(options["name"]), deleted_at=None).first()
        if user is None:
            raise CommandError(f"There is no account {options['name']}.")
        if not options["yes"]:
            raise CommandError(f"This deletes {user} for good: add --yes.")
        try:
            delete_account(user_id=user.pk)
        except StillNeeded as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(f"deleted: user {user.pk}")
