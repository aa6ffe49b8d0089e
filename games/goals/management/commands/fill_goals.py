"""A command that gives players the goals of games from before there were goals."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.goals.filling import fill, matches_with_goals


class Command(BaseCommand):
    help = "Give players the goals that they reached in stored games; a second run gives the same."

    def handle(self, *args: Any, **options: Any) -> None:
        total = matches_with_goals().count()
        with tqdm(total=total, desc="goals", unit=" matches", disable=None) as shown:
            for count in fill():
                shown.update(count)
        self.stdout.write("The goals of all stored games are given.")
