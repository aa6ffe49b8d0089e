"""Replays matches from their journals and compares."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.matches.models import Match
from games.matches.queries.audit import broken_replay


class Command(BaseCommand):
    help = "Replay matches from their journals and compare with the stored state."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("public_id", nargs="*")

    def handle(self, *args: Any, **options: Any) -> None:
        matches = Match.objects.order_by("pk")
        if options["public_id"]:
            matches = matches.filter(public_id__in=options["public_id"])
        count = matches.count()
        shown = tqdm(matches.iterator(), "replay", count, unit=" matches", disable=None)
        differing = [
            f"{match.public_id}: {text}" for match in shown if (text := broken_replay(match))
        ]
        if differing:
            raise CommandError("\n".join([f"{len(differing)} matches differ:", *differing]))
        self.stdout.write(f"{count} matches replayed to the same bytes")
