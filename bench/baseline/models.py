"""A match with its state, and one row per event."""

from django.conf import settings
from django.db import models


class Match(models.Model):
    """A duel."""

    first = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    state = models.JSONField()


class MatchEvent(models.Model):
    """An event; ``action_id`` keeps a repeated action from counting twice."""

    match = models.ForeignKey(Match, models.CASCADE)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT)
    action_id = models.CharField(max_length=64)
    data = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        unique_together = [("match", "actor", "action_id")]
