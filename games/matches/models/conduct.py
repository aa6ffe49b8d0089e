"""Conduct: flags, losses between users, prize weeks, reported posts, mutes, notes."""

from django.conf import settings
from django.db import models

from games.matches.models.matches import Match


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


class PrizeWeek(models.Model):
    """A week, such as "2026-W47", whose prizes were paid, or that had nobody to pay."""

    week = models.CharField(max_length=8, unique=True)
    decided_at = models.DateTimeField()


class HiddenPost(models.Model):
    """A post that is shown to nobody any more, by its number in its room."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    room = models.CharField(max_length=20)
    no = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "room", "no"], name="post_hidden_once")
        ]


class PostReport(models.Model):
    """A reported post. Room and people could reveal a role: shown only with permission."""

    flag = models.OneToOneField(Flag, models.CASCADE, primary_key=True, related_name="post_report")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    room = models.CharField(max_length=20)
    no = models.PositiveIntegerField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(db_index=True)
    #: Spectators do not read the room before the match is over.
    is_private = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "room", "no"], name="post_reported_once")
        ]

    @property
    def is_secret(self) -> bool:
        return self.is_private and self.match.is_live


class Mute(models.Model):
    """A user may not post or chat until ``until``, and may still play; ``flag`` is the report."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="mutes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    flag = models.ForeignKey(Flag, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["user", "until"], name="mute_user_until")]

    def __str__(self) -> str:
        return f"user {self.user_id} until {self.until:%Y-%m-%d %H:%M}"


class Notebook(models.Model):
    """A user's notes on a match; ``read_to`` is canonical text, room -> last post read."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    notes = models.TextField(blank=True)
    read_to = models.CharField(max_length=500, default="{}")
    no = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="one_notebook_a_match")
        ]
