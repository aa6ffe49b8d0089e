"""A command that rates a game's stored matches again while the site runs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from tqdm import tqdm

from games.matches.queries.ratings import pools
from games.standings.rating import rate_again, rated_matches


class Command(BaseCommand):
    help = "Rate a game's stored matches again, then take these ratings; go on if interrupted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=[*pools()])

    def handle(self, *args: Any, **options: Any) -> None:
        game = options["game"]
        total = rated_matches(game).count()
        try:
            with tqdm(total=total, desc="rate", unit=" matches", disable=None) as shown:
                for count in rate_again(game):
                    shown.update(count)
        except OperationalError as problem:
            raise CommandError(f"the site is busy, run it again: {problem}") from problem
        self.stdout.write(f"The ratings at {game} are of the new scale.")
