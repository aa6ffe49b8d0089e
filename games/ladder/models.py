"""The tables of the ladder; ``games.ladder.results`` writes them."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.matches.models.matches import new_public_id
from games.matches.queries.ratings import START_MU, START_SIGMA
from games.realtime.leases import Leased


class Entrant(models.Model):
    """A program with its sums: of a user, whose ``Rating`` stands in the ladder's pool, or of the
    house, whose mu and sigma stand here. ``key`` is its name in the files of old days.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    house = models.CharField(max_length=20, unique=True, null=True)
    key = models.CharField(max_length=32, unique=True, default=new_public_id)
    source = models.CharField(max_length=200, blank=True)
    mu = models.FloatField(default=START_MU)
    sigma = models.FloatField(default=START_SIGMA)
    matches = models.PositiveIntegerField(default=0)
    rated = models.PositiveIntegerField(default=0)
    throws = models.BigIntegerField(default=0)
    won = models.BigIntegerField(default=0)
    thought_ms = models.BigIntegerField(default=0)

    @property
    def name(self) -> str:
        """The program's name; with the user loaded no query."""
        return self.user.username if self.user is not None else str(self.house)


class PlayedMatch(models.Model):
    """An ended match. ``won_`` are throws, ``forfeit`` the seat that forfeits, ``ratings`` for each
    seat mu and sigma before and after, "" unrated. ``hands`` and ``seed`` go after some days.
    """

    public_id = models.CharField(max_length=32, unique=True)
    first = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)
    reason = models.CharField(max_length=10)
    forfeit = models.PositiveSmallIntegerField(null=True)
    throws = models.PositiveIntegerField()
    won_first = models.PositiveIntegerField()
    won_second = models.PositiveIntegerField()
    thought_first_ms = models.PositiveIntegerField()
    thought_second_ms = models.PositiveIntegerField()
    ratings = models.TextField(blank=True)
    seed = models.CharField(max_length=32, blank=True)
    hands = models.BinaryField(null=True)
    #: What the worker makes of the hands, as JSON.
    figures = models.TextField(blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["ended_at"], name="ladder_full", condition=models.Q(hands__isnull=False)
            ),
            models.Index(
                fields=["ended_at"],
                name="ladder_unread",
                condition=models.Q(hands__isnull=False, figures=""),
            ),
        ]

    @property
    def entrants(self) -> tuple[Entrant, Entrant]:
        return self.first, self.second


class Encounter(models.Model):
    """All matches of a pair, ``one`` before ``other`` by id: matches, and throws won by each."""

    one = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+", db_index=False)
    other = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    matches = models.PositiveIntegerField(default=0)
    throws = models.BigIntegerField(default=0)
    won_one = models.BigIntegerField(default=0)
    won_other = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["one", "other"], name="ladder_pair_once")
        ]


class LadderDay(models.Model):
    """The matches that ended on a day of UTC, as a packed file of JSON lines."""

    day = models.DateField(primary_key=True)
    content = models.BinaryField()


class Pooled(Leased):
    """The process that has the pool, and the matches that it shows as live, as JSON."""

    live = models.TextField(default="[]")
