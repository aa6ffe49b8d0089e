"""Ratings of players and their changes; only ``games.standings.rating`` writes them."""

from django.conf import settings
from django.db import models

#: Behind a game's name: the pool of ratings that is being filled and that nobody sees.
FILLING = "+"


class Rating(models.Model):
    """A user's strength ``mu`` with its uncertainty ``sigma``; ``lately``: last games, as text."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings"
    )
    game = models.CharField(max_length=20)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    updated = models.DateTimeField()
    lately = models.TextField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="one_rating_a_game"),
        ]
        indexes = [models.Index(fields=["game", "-mu"], name="rating_game_mu")]

    def __str__(self) -> str:
        return f"rating of user {self.user_id} at {self.game}"


class RatingRun(models.Model):
    """A run that rates matches again, up to ``last``; earlier changes keep the old scale."""

    game = models.CharField(max_length=20, primary_key=True)
    last = models.BigIntegerField(default=0)
    swapped_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"run over the ratings at {self.game}"


class RatingChange(models.Model):
    """A change by one match, never updated; ``before`` and ``after`` as shown."""

    match = models.ForeignKey("games.Match", on_delete=models.PROTECT, related_name="ratings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_changes"
    )
    before = models.IntegerField()
    after = models.IntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="rated_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"rating of user {self.user_id} after match {self.match_id}"
