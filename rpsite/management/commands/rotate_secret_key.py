"""Command that replaces the secret key, so that nobody is logged out."""

import os
import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rpsite.env import VAR, own_secret

KEY = VAR / "secret_key"
FORMER = VAR / "secret_key.old"


class Command(BaseCommand):
    """Make a new key; the former one is still read until it is forgotten."""

    help = "Replace the secret key; log-ins and links made with the former one stay valid."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--forget", action="store_true", help="end what the former key still signs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if os.environ.get("SECRET_KEY"):
            self.stdout.write(
                "SECRET_KEY is in the environment. Put its value into SECRET_KEY_OLD, this one into"
                f" SECRET_KEY, and restart every process:\n{secrets.token_urlsafe(64)}"
            )
            return
        if options["forget"]:
            FORMER.unlink(missing_ok=True)
            self.stdout.write("the former key is forgotten: restart the site")
            return
        if not KEY.exists():
            raise CommandError(f"there is no {KEY}")
        if FORMER.exists():
            raise CommandError(f"{FORMER} is still there: first run this with --forget")
        KEY.rename(FORMER)
        own_secret(KEY)
        self.stdout.write(f"new key in {KEY}, the former one in {FORMER}: restart the site")
