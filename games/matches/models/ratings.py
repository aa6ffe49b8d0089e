"""Ratings of players and their changes, the daily table, goals, reads, habits of throwing."""

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
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_rating_a_game")]
        indexes = [models.Index(fields=["game", "-mu"], name="rating_game_mu")]


class RatingRun(models.Model):
    """A run that rates matches again, up to ``last``; earlier changes keep the old scale."""

    game = models.CharField(max_length=20, primary_key=True)
    last = models.BigIntegerField(default=0)
    swapped_at = models.DateTimeField(null=True)


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
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="rated_once_a_match")]


class DailyTable(models.Model):
    """A day's table against bots. ``seed`` is secret until the day (UTC) is over."""

    day = models.DateField(unique=True)
    game = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    options = models.TextField()
    seed = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64)


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
            models.UniqueConstraint(fields=["table", "user"], name="one_play_a_daily_table")
        ]
        indexes = [models.Index(fields=["table", "-net"], name="daily_play_net")]


class Thumb(models.Model):
    """One player's "well played" for another in a finished match."""

    match = models.ForeignKey("games.Match", models.CASCADE, related_name="+", db_index=False)
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    receiver = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "giver", "receiver"], name="thumb_once"),
            models.CheckConstraint(
                condition=~models.Q(giver=models.F("receiver")), name="thumb_for_another"
            ),
        ]

    def __str__(self) -> str:
        return f"user {self.giver_id} to {self.receiver_id}"


class ReachedGoal(models.Model):
    """A user's first time of a goal, such as "duel/won"; ``match``: None where it was in none."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    goal = models.CharField(max_length=40)
    match = models.ForeignKey(
        "games.Match", on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "goal"], name="goal_reached_once")]

    def __str__(self) -> str:
        return f"user {self.user_id}: {self.goal}"


class SealedRead(models.Model):
    """A user's guess, on a day of a match, of who is of the mafia: ``hidden`` of the seats in
    ``strengths``, canonical text, seat -> 0 to 3. Only the user sees it before the end; then
    ``score`` is set, in bits, and ``knew``: not by guessing alone.
    """

    match = models.ForeignKey(
        "games.Match", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    day = models.PositiveIntegerField()
    strengths = models.CharField(max_length=400)
    hidden = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    score = models.FloatField(null=True)
    knew = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user", "day"], name="one_read_a_day")
        ]
        indexes = [
            models.Index(fields=["match"], name="read_unscored", condition=models.Q(score=None))
        ]

    def __repr__(self) -> str:
        return f"<SealedRead {self.pk}>"


class Habits(models.Model):
    """The times that a user threw a hand, 0 to 2, in a context of the duels of a month (UTC)."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    month = models.DateField()
    context = models.CharField(max_length=8)
    hand = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "month", "context", "hand"], name="one_count_a_habit"
            )
        ]
        verbose_name_plural = "habits"


class DuelFigures(models.Model):
    """A user's throws in a duel, and those that a reader won and lost. ``version``: the reader's;
    0: the user's month is to be computed again.
    """

    match = models.ForeignKey("games.Match", models.PROTECT, related_name="+", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    month = models.DateField()
    throws = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    lost = models.PositiveIntegerField()
    version = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="one_row_a_duel_and_user")
        ]
        indexes = [models.Index(fields=["user", "month"], name="figures_user_month")]
        verbose_name_plural = "duel figures"
