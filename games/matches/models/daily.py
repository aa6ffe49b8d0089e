"""The daily table: one seed a day, and what each user made of it."""

from django.conf import settings
from django.db import models


class DailyTable(models.Model):
    """A day's table against bots.  ``seed`` is secret until the day (UTC) is over."""

    day = models.DateField(unique=True)
    game = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    options = models.TextField()
    seed = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"daily table of {self.day}"

    def __repr__(self) -> str:
        return f"<DailyTable {self.day}>"


class DailyPlay(models.Model):
    """One user's only play: the accepted actions, a line each; ``net`` and ``marks`` (W, D, L)."""

    table = models.ForeignKey(DailyTable, on_delete=models.PROTECT, related_name="plays")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="daily_plays"
    )
    actions = models.TextField(blank=True)
    action_count = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    net = models.IntegerField(null=True)
    marks = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="one_play_a_daily_table"),
        ]
        indexes = [models.Index(fields=["table", "-net"], name="daily_play_net")]

    def __str__(self) -> str:
        return f"user {self.user_id} at daily table {self.table_id}"
