"""Command that prepares database and files for this release."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rpsite.preparing import foretell, prepare


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
