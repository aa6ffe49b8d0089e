"""Append-only rows: archived journals and the public log of commitments, with their guards."""

from typing import ClassVar, Final

from django.db import models

from economy.triggers import append_only, register
from games.matches.models.matches import Match, new_public_id


class ArchivedJournal(models.Model):
    """A journal in one row: entries 1 to ``last_no`` as zlib text, with its SHA-256."""

    match = models.OneToOneField(
        Match, models.PROTECT, primary_key=True, related_name="archived_journal"
    )
    format = models.PositiveSmallIntegerField()
    last_no = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    data = models.BinaryField()

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


class Pledge(models.Model):
    """The seed of a match that is not open yet; secret until the match is over."""

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id)
    game = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    seed = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64, unique=True)
    pledged_at = models.DateTimeField(db_index=True)
    dropped_at = models.DateTimeField(null=True, db_index=True)


class LogLeaf(models.Model):
    """A leaf of the log: a commitment of a match opened, or closed with its outcome, or of an
    event. ``no`` is dense.
    """

    class Kind(models.TextChoices):
        OPENED = "opened"
        CLOSED = "closed"
        EVENT = "event"

    no = models.PositiveBigIntegerField(primary_key=True)
    day = models.DateField(db_index=True)
    kind = models.CharField(max_length=6, choices=Kind.choices)
    commitment = models.CharField(max_length=64)
    outcome = models.CharField(max_length=10, blank=True)
    aborted = models.PositiveIntegerField(default=0)
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "log leaves"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["commitment", "kind"], name="leaf_once")
        ]


class LogDay(models.Model):
    """A day (UTC) of the log: the Merkle root of its leaves, chained to the day before."""

    day = models.DateField(primary_key=True)
    first_no = models.PositiveBigIntegerField()
    count = models.PositiveIntegerField()
    counts = models.TextField()
    root = models.CharField(max_length=64)
    head = models.CharField(max_length=64)


LOG_GUARDS: Final = register(
    append_only(
        {
            "games_logleaf": (
                "leaves are only ever added",
                "no = NEW.no OR (commitment = NEW.commitment AND kind = NEW.kind)",
            ),
            "games_logday": ("days are only ever added", "day = NEW.day"),
        }
    )
)
