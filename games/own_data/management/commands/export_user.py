"""Command that writes everything that the site stores about a user."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User, named
from games.own_data.personal_data import export_of


class Command(BaseCommand):
    """Write the same JSON as the download in the user's settings."""

    help = "Write everything that is stored about a user, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--to", type=Path, help="a new file, readable by its owner only")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(named(options["name"])).first()
        if user is None:
            raise CommandError(f"There is no account {options['name']}.")
        text = async_to_sync(_whole)(user)
        if options["to"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["to"].touch(mode=0o600, exist_ok=False)
        except OSError as problem:
            raise CommandError(f"{options['to']} cannot be made: {problem.strerror}") from None
        options["to"].write_text(text, encoding="utf-8")
        sys.stderr.write(f"{options['to']}: {len(text):,} characters\n")


async def _whole(user: User) -> str:
    return "".join([part async for part in export_of(user)])
