"""Void a running match, or close an open table, with a reason that everybody can read."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Match
from games.rules.errors import IllegalAction
from games.services import play, repair


class Command(BaseCommand):
    """Give every point and weapon back, through the same path as every action."""

    help = "Void a match: every point and weapon goes back to who put it in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the match's public id and the reason."""
        parser.add_argument("public_id")
        parser.add_argument("--reason", required=True, help="10 to 200 characters, public")

    def handle(self, *args: Any, **options: Any) -> None:
        """Void it and say so."""
        reason = options["reason"].strip()
        if not 10 <= len(reason) <= 200:
            raise CommandError("a reason has 10 to 200 characters")
        match = Match.objects.filter(public_id=options["public_id"]).first()
        if match is None:
            raise CommandError("there is no such match")
        result = repair.apply([play.house(match.pk, "void", "void-by-admin", reason=reason)])
        if isinstance(result.answers[0].error, IllegalAction):
            raise CommandError(str(result.answers[0].error))
        self.stdout.write(f"voided: {match}")
