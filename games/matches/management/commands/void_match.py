"""Voids a running match, or closes an open table, with a public reason."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.matches.models import Match
from games.matches.processing import writing


class Command(BaseCommand):
    help = "Void a match: every point and weapon goes back to its owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("public_id")
        parser.add_argument("--reason", required=True, help="10 to 200 characters, public")

    def handle(self, *args: Any, **options: Any) -> None:
        reason = options["reason"].strip()
        if not 10 <= len(reason) <= 200:
            raise CommandError("a reason has 10 to 200 characters")
        match = Match.objects.filter(public_id=options["public_id"]).first()
        if match is None:
            raise CommandError("there is no such match")
        action_id = f"void-{secrets.token_hex(8)}"
        action = writing.house(match.pk, "void", action_id, reason=reason)
        answer = writing.apply([action]).answers[0]
        if answer.error is not None:
            raise CommandError(str(answer.error))
        self.stdout.write(f"voided: {match}")
