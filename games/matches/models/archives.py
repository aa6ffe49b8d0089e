"""The archive of journals, and the guards that keep journals and archive as they were written."""

from typing import Final

from django.db import models

from economy.triggers import append_only, register
from games.matches.models.matches import Match


class ArchivedJournal(models.Model):
    """A journal in one row: entries 1 to ``last_no`` as zlib text, with its SHA-256."""

    match = models.OneToOneField(
        Match, models.PROTECT, primary_key=True, related_name="archived_journal"
    )
    format = models.PositiveSmallIntegerField()
    last_no = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"the journal of match {self.match_id}"

    def __repr__(self) -> str:
        return f"<ArchivedJournal {self.match_id}>"


#: Entries are deleted only once archived; their insert, the site's hot path, fires nothing.
JOURNAL_GUARDS: Final = register(
    append_only(
        {
            "games_entry": ("entries are only ever added", None),
            "games_archivedjournal": (
                "archived journals are only ever added",
                "match_id = NEW.match_id",
            ),
        },
        deletable={
            "games_entry": "EXISTS (SELECT 1 FROM games_archivedjournal AS kept"
            " WHERE kept.match_id = OLD.match_id AND kept.last_no >= OLD.no)"
        },
    )
)
