"""Serve any game on a pipe, without the database: ``manage.py referee showdown``."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import registry
from games.engine.structs import canonical
from tools.referee.pipe import answer_lines, transcribe
from tools.referee.trials import Trial, play_many, trial_of


class Command(BaseCommand):
    """Reads requests as JSON lines and answers each with one line, or plays random games."""

    help = "Run a game's rules on a pipe: JSON lines in, JSON lines out, no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=registry.slugs())
        parser.add_argument("--random", type=int, metavar="N", help="play N random legal games")
        parser.add_argument("--seed", default="referee", help="seed of the random games")
        parser.add_argument("--record", action="store_true", help="write a transcript instead")

    def handle(self, *args: Any, **options: Any) -> None:
        game, trial = options["game"], trial_of(options["game"])
        if options["random"] is not None:
            self._play_random(game, trial, options["random"], options["seed"])
            return
        if options["record"]:
            lines = transcribe(trial.rules, (line.decode() for line in sys.stdin.buffer))
        else:
            lines = answer_lines(trial.rules, sys.stdin.buffer)
        for line in lines:
            self.stdout.write(line)
            self.stdout.flush()

    def _play_random(self, game: str, trial: Trial[Any], number: int, seed: str) -> None:
        if number < 1:
            raise CommandError("--random takes a number of games from 1 upwards")
        summary = play_many(game, trial.random_game, number, seed)
        self.stdout.write(canonical(summary))
        if summary["violations"]:
            sys.exit(1)
