"""Flags for administrators, losses between two users, the weeks whose prizes were decided."""

from django.conf import settings
from django.db import models


class Flag(models.Model):
    """A suspicion to check, which blocks nobody; ``key`` identifies its subject."""

    class Kind(models.TextChoices):
        CHIPS = "chips", "points passed on at tables"
        DEVICE = "device", "one device, two accounts at a table"
        ADDRESS = "address", "one network address, two accounts at a table"
        GRANTS = "grants", "starting grants or awards collected"
        REPORT = "report", "a name reported by a player"
        POST = "post", "a post reported by a player"

    key = models.CharField(max_length=160, unique=True)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    users = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="flags")
    detail = models.TextField(default="{}")
    opened_at = models.DateTimeField(db_index=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    note = models.CharField(max_length=500, blank=True)
    #: The administrator who works on it, and since when.
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        db_index=False,
        related_name="+",
    )
    claimed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.key})"


class PairLoss(models.Model):
    """The points that the user with the lower id has lost to another since 1.2, net."""

    loser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    points = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["loser", "winner"], name="one_loss_a_pair"),
            models.CheckConstraint(
                condition=models.Q(loser__lt=models.F("winner")), name="loss_of_the_lower_id"
            ),
        ]
        indexes = [models.Index(fields=["winner"], name="loss_winner")]
        verbose_name_plural = "pair losses"

    def __str__(self) -> str:
        return f"loss of user {self.loser_id} to user {self.winner_id}"


class PrizeWeek(models.Model):
    """A week whose prizes were paid, or that had nobody to pay, such as "2026-W47"."""

    week = models.CharField(max_length=8, unique=True)
    decided_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.week
