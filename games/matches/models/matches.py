"""Models of matches: rows, journals, seats and chat."""

import secrets
from typing import Any

from django.conf import settings
from django.db import models

#: A finished match that is in everybody's lists.
SHOWN = models.Q(status="over", listed=True, spectators=True)
ENDED = models.Q(ended_at__isnull=False)
#: Exclude these from ended matches: by the status alone SQLite reads all that are over.
CALLED_OFF = ("void", "closed")
AWARDED = models.Q(award__gt=0) | models.Q(y_award__gt=0)
UNARCHIVED = models.Q(ended_at__isnull=False, is_archived=False)
STALLED = models.Q(stalled_at__isnull=False)
#: A live match that is in everybody's lists.
OFFERED = models.Q(listed=True, ended_at__isnull=True)


def new_public_id() -> str:
    """Return an unguessable public id of 128 bits."""
    # A command would read "-…" as an option.
    while not (name := secrets.token_urlsafe(16))[0].isalnum():
        pass
    return name


def cause_of(match_id: int) -> str:
    return f"match:{match_id}"


def match_of(cause: str) -> int:
    """Return the match that a transfer's cause names, 0 for another cause."""
    number = cause.removeprefix("match:")
    return int(number) if cause.startswith("match:") and number.isdigit() else 0


def start_group(match_id: int) -> str:
    """Return the transfer group in which a match's purses are collected."""
    return f"match:{match_id}:start"


class Match(models.Model):
    """One play of a game. ``table``, ``state`` and ``recent`` are the checkpoint after entry
    ``state_no``, the rest is current. ``state``, ``seed`` and ``seq`` are secret until the match is
    over.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        RUNNING = "running"
        OVER = "over"
        VOID = "void"
        CLOSED = "closed"

    LIVE = (Status.OPEN, Status.RUNNING)

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id)
    game = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    title = models.CharField(max_length=60)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    listed = models.BooleanField(default=True)
    spectators = models.BooleanField(default=True)
    origin = models.TextField()
    origin_users = models.TextField(default="{}")
    table = models.TextField()
    state = models.TextField(blank=True)
    recent = models.TextField(default="[]")
    state_no = models.PositiveIntegerField(default=0)
    summary = models.TextField(default="{}")
    phase = models.PositiveIntegerField(default=0)
    seq = models.PositiveIntegerField(default=0)
    public_count = models.PositiveIntegerField(default=0)
    action_count = models.PositiveIntegerField(default=0)
    last_post = models.PositiveIntegerField(default=0)
    seed = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64)
    at_ms = models.BigIntegerField()
    due_at = models.DateTimeField(null=True)
    bot_at = models.DateTimeField(null=True)
    wake_at = models.DateTimeField(null=True, db_index=True)
    stalled_at = models.DateTimeField(null=True)
    #: The clock counts hours or days and does not wait for sockets to come back.
    is_slow = models.BooleanField(default=False)
    #: The game's own label to find the match, such as "quick".
    mark = models.CharField(max_length=20, blank=True)
    #: The only user who may sit down beside the opener.
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    #: Whether it counts for ratings; whether points are at stake.  Final after the start.
    is_rated = models.BooleanField(default=False)
    is_staked = models.BooleanField(default=False)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    opened_at = models.DateTimeField()
    #: The appointed start of a table that does not begin as soon as all are ready.
    begins_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    #: The sides that won, by the game's own label, and how many seats played; set at the end.
    outcome = models.CharField(max_length=40, blank=True)
    size = models.PositiveSmallIntegerField(default=0)
    void_reason = models.CharField(max_length=200, blank=True)
    is_archived = models.BooleanField(default=False)
    successor = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="predecessor"
    )

    class Meta:
        indexes = [
            models.Index(fields=["status", "listed"], name="match_status_listed"),
            models.Index(fields=["game", "status", "-id"], name="match_lobby", condition=OFFERED),
            models.Index(fields=["opened_at"], name="match_opened_at"),
            models.Index(fields=["opened_by", "opened_at"], name="match_opener"),
            models.Index(
                fields=["game", "-ended_at", "-id"], name="match_archive", condition=SHOWN
            ),
            models.Index(fields=["ended_at"], name="match_ended_at", condition=ENDED),
            models.Index(fields=["ended_at"], name="match_unarchived", condition=UNARCHIVED),
            models.Index(fields=["status", "stalled_at"], name="match_stalled", condition=STALLED),
        ]
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return f"{self.title} ({self.public_id})"

    def __repr__(self) -> str:
        return f"<Match {self.public_id} {self.status}>"

    @property
    def is_live(self) -> bool:
        return self.status in self.LIVE


class Seat(models.Model):
    """A user's numbered place. ``rating`` is set on sitting down, ``prior`` (a bot's knowledge) at
    the start; ``net``, ``bonus``, ``award`` (points), ``y_award``, ``rating_change`` and ``result``
    at the end. ``timed_out_at``, ``has_played`` and ``has_left`` repeat the journal.
    """

    class Result(models.TextChoices):
        WON = "won"
        DRAWN = "drawn"
        LOST = "lost"

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats")
    no = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seats"
    )
    net = models.IntegerField(null=True)
    result = models.CharField(max_length=5, choices=Result.choices, blank=True)
    rating = models.IntegerField(null=True)
    rating_change = models.IntegerField(null=True)
    bonus = models.PositiveIntegerField(default=0)
    award = models.PositiveIntegerField(default=0)
    y_award = models.PositiveIntegerField(default=0)
    timed_out_at = models.DateTimeField(null=True)
    has_played = models.BooleanField(default=False)
    has_left = models.BooleanField(default=False)
    seen_at = models.DateTimeField()
    prior = models.TextField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "no"], name="one_user_a_seat"),
            models.UniqueConstraint(fields=["match", "user"], name="one_seat_a_user"),
        ]
        indexes = [models.Index(fields=["user"], name="seat_awarded", condition=AWARDED)]


def of_match(**conditions: Any) -> models.Exists:
    return models.Exists(Match.objects.filter(pk=models.OuterRef("match"), **conditions))


class Replaced(models.Model):
    """A user who played a seat until entry ``entry_no`` gave it to another for good."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="replaced")
    no = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="replaced"
    )
    entry_no = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user"], name="replaced_once_a_match"),
            models.UniqueConstraint(fields=["match", "entry_no"], name="one_replaced_an_entry"),
        ]
        verbose_name_plural = "replaced"


class Entry(models.Model):
    """A line of a journal. ``asked``: the action's text as sent, where it differs."""

    pk = models.CompositePrimaryKey("match_id", "no")
    match = models.ForeignKey(
        Match, models.PROTECT, related_name="entries", db_index=False, db_constraint=False
    )
    no = models.PositiveIntegerField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    seat = models.PositiveSmallIntegerField(null=True)
    sitter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    action_id = models.CharField(max_length=64)
    action = models.TextField()
    asked = models.TextField(null=True)
    phase = models.PositiveIntegerField()
    facts = models.TextField()
    at_ms = models.BigIntegerField()
    last_seq = models.PositiveIntegerField()
    last_public = models.PositiveIntegerField()
    is_whole = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(
                fields=["match", "actor", "action_id"], name="action_id_once_an_actor"
            ),
            models.UniqueConstraint(
                fields=["match", "action_id"],
                condition=models.Q(actor=None),
                name="action_id_once_the_house",
            ),
        ]


class Post(models.Model):
    """A line of chat; ``serial`` counts the match's and is never shown, ``no`` the room's."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="posts")
    serial = models.PositiveIntegerField()
    no = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    room = models.CharField(max_length=20)
    text = models.CharField(max_length=500)
    action_id = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "serial"], name="post_serials_are_dense"),
            models.UniqueConstraint(fields=["match", "room", "no"], name="post_numbers_are_dense"),
            models.UniqueConstraint(fields=["match", "user", "action_id"], name="post_once"),
        ]
