"""Ratings of players, and the change by each rated match. Only ``matches.services.rating`` writes
them; pages read them through ``matches.queries.ratings``. Source: docs/explanation/ratings.md.
"""

from django.conf import settings
from django.db import models

#: Behind a game's name: the pool of ratings that is being filled and that nobody sees.
FILLING = "+"


class Rating(models.Model):
    """A user's estimated strength at a game: ``mu`` with the uncertainty ``sigma``.

    ``games`` counts the rated matches.  ``game`` has ``FILLING`` at its end in the pool that a
    ``RatingRun`` fills.  ``lately`` is the canonical text of the few facts about the last rated
    games that daily limits and repeated folds need; null: none.
    """

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
    """A run that rates a game's stored matches again, in a second pool. It has rated the matches up
    to the change ``last``.  At ``swapped_at`` the second pool became the ratings; earlier changes
    are of the old scale.  Null: the run is not finished.
    """

    game = models.CharField(max_length=20, primary_key=True)
    last = models.BigIntegerField(default=0)
    swapped_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"run over the ratings at {self.game}"


class RatingChange(models.Model):
    """The change of one player's rating by one match; never updated. ``before`` and ``after`` are
    ratings as shown; ``mu`` and ``sigma`` are the values afterwards.
    """

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
