"""Command that audits the ledger."""

import sys
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from economy import triggers
from economy.audit import find_recent_violations, find_violations
from economy.models import Account, Transfer


class Command(BaseCommand):
    """Exit code 0 when every invariant holds, 1 when one is broken."""

    help = "Check the ledger's invariants; exit code 1 if one is broken."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--whole", action="store_true", help="check all transfers")
        parser.add_argument("--minutes", type=int, default=10, help="length of the checked period")
        parser.add_argument(
            "--install-guards", action="store_true", help="install missing guards first"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["install_guards"]:
            triggers.install_all(connection)
        if options["whole"]:
            violations = find_violations()
        else:
            since = timezone.now() - timedelta(minutes=options["minutes"])
            violations = find_recent_violations(since)
        for violation in violations:
            self.stderr.write(violation)
        self.stdout.write(
            f"{Transfer.objects.count()} transfers, {Account.objects.count()} accounts:"
            f" {len(violations)} violations"
        )
        if violations:
            sys.exit(1)
