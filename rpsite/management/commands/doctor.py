"""Command that says what is well with the site's surroundings, and what is not."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from rpsite import doctor
from rpsite.db import limit_statements


class Command(BaseCommand):
    """Exit code 0 unless something is broken."""

    help = "Look at variables, database, Redis, mail, paths, clock, disk; exit code 1 if broken."
    # It runs them itself, and tells what they say.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="a JSON array of all findings")

    def handle(self, *args: Any, **options: Any) -> None:
        limit_statements()
        findings = []
        for finding in doctor.look():
            findings.append(finding)
            if not options["json"]:
                self.stdout.write(f"{finding.verdict:<7} {finding.topic}: {finding.sentence}")
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=1))
        if any(finding.verdict == doctor.BROKEN for finding in findings):
            sys.exit(1)
