"""A command that counts the habits of players in the duels from before they were counted."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.duel.habits import fill


class Command(BaseCommand):
    help = "Count the habits of all players from stored duels; a second run gives the same."

    def handle(self, *args: Any, **options: Any) -> None:
        for _ in tqdm(fill(), desc="habits", unit=" months", disable=None):
            pass
        self.stdout.write("The habits of all months are counted.")
