"""The arena's tables: rounds, players, and each player's part of each round."""

from typing import ClassVar

from django.conf import settings
from django.db import models

# Each model names its application, so that it can be imported on a site without this game.
from games.arena import SLUG
from games.matches.models import Pledge
from games.realtime.leases import Leased

MOVES = (("", "nothing"), ("rock", "rock"), ("paper", "paper"), ("scissors", "scissors"))


class Chain(models.Model):
    """The links of ``length`` rounds from ``first_no`` on; ``pledge`` has the secret root."""

    first_no = models.BigIntegerField(primary_key=True)
    length = models.PositiveIntegerField()
    pledge = models.OneToOneField(Pledge, on_delete=models.PROTECT, related_name="+")

    class Meta:
        app_label = SLUG

    def __str__(self) -> str:
        return f"chain of the rounds from {self.first_no}"


class Round(models.Model):
    """One round; ``result`` is what everybody sees of it when it is over. Inputs do not change
    while it is ``counting``; once it is ``counted``, result and fights are stored.
    """

    class State(models.TextChoices):
        SELECTING = "selecting"
        COUNTING = "counting"
        COUNTED = "counted"
        RESOLVED = "resolved"
        DROPPED = "dropped"

    #: The states in which the selection is over and cannot change.
    BEING_COUNTED: ClassVar = (State.COUNTING, State.COUNTED)

    no = models.BigIntegerField(primary_key=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.SELECTING)
    #: ``commitment`` is the hash of ``link``, of which with the ``digest`` of the round before the
    #: ``seed`` is made.
    link = models.CharField(max_length=64)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    options = models.CharField(max_length=200)
    carried = models.CharField(max_length=60, default="{}")
    #: Counts from a refill on: 0 without Survivor, and when it is resolved with a refill.
    survivor_round = models.PositiveIntegerField(default=0)
    drawn = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    began_at = models.DateTimeField()
    #: Until when the result of the round before is shown.
    shows_until = models.DateTimeField(null=True)
    ends_at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)
    #: Those who fought in it.
    players = models.PositiveIntegerField(default=0)
    people = models.PositiveIntegerField(default=0)
    result = models.TextField(default="")
    #: The broken streaks that are told, as lists of user, streak, breaker.
    broken = models.TextField(default="[]")
    #: A letter for each player.
    choices = models.TextField(blank=True)
    #: A letter for each person at its beginning: c, who might be drawn, or a dash.
    candidates = models.TextField(null=True)
    #: The index of the drawn one, and the number of candidates.
    chooser = models.CharField(max_length=30, null=True)
    #: The hash of the letters, which ``digest`` covers.  Candidates, chooser and parts are null in
    #: rounds from before 1.2, whose ``digest`` is of ``choices`` alone.
    parts = models.CharField(max_length=64, null=True)
    digest = models.CharField(max_length=64, blank=True)
    #: The fights are still stored.
    is_full = models.BooleanField(default=True)

    class Meta:
        app_label = SLUG
        indexes: ClassVar = [
            models.Index(
                fields=["resolved_at"], name="arena_round_full", condition=models.Q(is_full=True)
            )
        ]

    def __str__(self) -> str:
        return f"round {self.no}"

    @property
    def is_under_way(self) -> bool:
        """Whether its selection runs, or has ended and is not resolved yet."""
        return self.state in (self.State.SELECTING, *self.BEING_COUNTED)

    @property
    def is_being_counted(self) -> bool:
        return self.state in self.BEING_COUNTED


class Player(models.Model):
    """A user's figures, up to ``round_no``, and whether the user is in. ``leaves`` and ``resets``
    wait for the end of the round; fields with the prefix ``board_`` are of rounds that count on
    boards.
    """

    class Watching(models.TextChoices):
        """The reason why a player is no longer in."""

        NO = "", "plays, or never has"
        LEFT = "left"
        IDLE = "idle"
        GONE = "gone"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="arena"
    )
    is_bot = models.BooleanField(default=False)
    round_no = models.BigIntegerField(default=0)
    is_in = models.BooleanField(default=False)
    joined_at = models.DateTimeField(null=True)
    gone_since = models.DateTimeField(null=True)
    watching = models.CharField(max_length=4, choices=Watching.choices, blank=True)
    leaves = models.BooleanField(default=False)
    resets = models.BooleanField(default=False)
    wins = models.BigIntegerField(default=0)
    losses = models.BigIntegerField(default=0)
    ties = models.BigIntegerField(default=0)
    round_wins = models.PositiveIntegerField(default=0)
    round_losses = models.PositiveIntegerField(default=0)
    round_ties = models.PositiveIntegerField(default=0)
    score = models.BigIntegerField(default=0)
    streak = models.IntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    health = models.PositiveSmallIntegerField(default=0)
    idle_rounds = models.PositiveIntegerField(default=0)
    #: Rounds fought before resets: these make nobody new again.
    rounds_before = models.PositiveIntegerField(null=True)
    preferences = models.CharField(max_length=160, default="{}")
    board_score = models.BigIntegerField(default=0)
    board_streak = models.IntegerField(default=0)
    board_best_streak = models.PositiveIntegerField(default=0)
    board_round_wins = models.PositiveIntegerField(default=0)
    board_rounds = models.PositiveIntegerField(default=0)

    class Meta:
        app_label = SLUG
        indexes: ClassVar = [
            models.Index(
                fields=["joined_at"], name="arena_player_in", condition=models.Q(is_in=True)
            ),
            models.Index(
                fields=["user"], name="arena_player_resets", condition=models.Q(resets=True)
            ),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} in the arena"


class Choice(models.Model):
    """A user's last choice, and its round; it counts for no other round."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    round_no = models.BigIntegerField(db_index=True)
    move = models.CharField(max_length=8, choices=MOVES, blank=True)
    at = models.DateTimeField()

    class Meta:
        app_label = SLUG

    def __str__(self) -> str:
        return f"choice of user {self.user_id} for round {self.round_no}"


class Fight(models.Model):
    """One player's part of a round; stored for some days."""

    round_no = models.BigIntegerField(db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    move = models.CharField(max_length=8, choices=MOVES, blank=True)
    how = models.CharField(max_length=6)
    team = models.PositiveSmallIntegerField(null=True)
    wins = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    ties = models.PositiveIntegerField()
    result = models.CharField(max_length=4)
    score_delta = models.IntegerField()
    streak = models.IntegerField()
    score = models.BigIntegerField()

    class Meta:
        app_label = SLUG
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "round_no"], name="arena_one_fight_a_round")
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} in round {self.round_no}"


class DayFigures(models.Model):
    """A player's figures of a day of UTC, in rounds that count on boards and ended in it.
    ``streak`` begins at 0 with the day.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    day = models.DateField(db_index=True)
    score = models.BigIntegerField(default=0)
    streak = models.IntegerField(default=0)
    best_streak = models.IntegerField(default=0)
    round_wins = models.PositiveIntegerField(default=0)

    class Meta:
        app_label = SLUG
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "day"], name="arena_one_row_a_day")
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} on {self.day}"


class SeasonFigures(models.Model):
    """A player's points and won rounds of a season, in rounds that count on boards."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    began_at = models.DateTimeField()
    score = models.BigIntegerField(default=0)
    round_wins = models.PositiveIntegerField(default=0)

    class Meta:
        app_label = SLUG
        indexes: ClassVar = [
            models.Index(fields=["-began_at", "-score", "-round_wins"], name="arena_season_order")
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "began_at"], name="arena_one_row_a_season")
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} in the season of {self.began_at}"


class Grant(models.Model):
    """A record that a player was shown the choices of a round during its selection."""

    round_no = models.BigIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        app_label = SLUG
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round_no", "user"], name="arena_one_grant_a_round")
        ]

    def __str__(self) -> str:
        return f"grant of user {self.user_id} for round {self.round_no}"


class Lease(Leased):
    """The process that leads the rounds, and the end of its lease."""

    class Meta:
        app_label = SLUG


class Presence(models.Model):
    """The users with sockets in one web process, as a JSON list; old rows are ignored."""

    process = models.CharField(max_length=100, primary_key=True)
    users = models.TextField(default="[]")
    beat_at = models.DateTimeField()

    class Meta:
        app_label = SLUG

    def __str__(self) -> str:
        return f"who is here by {self.process}"
