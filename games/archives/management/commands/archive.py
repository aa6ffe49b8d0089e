"""Command that archives the journals of all matches that ended long ago, while the site runs."""

from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.archives.archiving import archive_each, due


class Command(BaseCommand):
    """Archive every journal that is due; beat does the same in small parts."""

    help = "Make one compressed row of each journal whose match ended `archive.days` ago."

    def handle(self, *args: Any, **options: Any) -> None:
        matches = due()
        shown = tqdm(
            archive_each(matches), "archive", matches.count(), unit=" matches", disable=None
        )
        counts = list(shown)
        self.stdout.write(f"{len(counts):,} journals archived, {sum(counts):,} entries")
