"""Command that shows how long personal data is kept, and deletes what is older."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.retention import RULES, delete_old


class Command(BaseCommand):
    """Print each rule with the number of older rows; with ``--delete`` delete them."""

    help = "Show how long personal data is kept; with --delete, delete what is older."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--delete", action="store_true", help="as the worker does each hour")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        for rule in RULES:
            count = rule.old(now - rule.kept).count()
            self.stdout.write(f"{rule.name}: kept for {rule.kept.days} days, {count} older")
        if options["delete"]:
            delete_old(now)
            self.stdout.write("deleted")
