"""What the site remembers of matches: the input log, the facts, who sits where.

Only ``games.services`` writes matches, seats, logs and posts, and ``games.live.presence`` who is
present; pages and sockets read them through ``games.reading.selectors``.

Source: docs/architecture.md "What a match stores".
"""

import secrets

from django.conf import settings
from django.db import models


def new_public_id() -> str:
    """Return an unguessable name of 128 bits for a match's address."""
    return secrets.token_urlsafe(16)


def cause_of(match_id: int) -> str:
    """Return what a match's transfers name as their cause."""
    return f"match:{match_id}"


class Match(models.Model):
    """One play of a game, from its opening to its settlement.

    ``table`` (seats and readiness) and ``state`` (the game's own, empty before the start) are
    caches in canonical text: folding the rows of ``actions`` over ``origin`` and ``seed`` gives the
    same bytes.  ``state``, ``seed`` and ``seq`` are secret until the match is over.
    ``at_ms`` is the last instant it has seen, in milliseconds since the epoch.
    """

    class Status(models.TextChoices):
        """Where a match is between its opening and its end."""

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
    table = models.TextField()
    state = models.TextField(blank=True)
    recent = models.TextField(default="[]")
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
    #: Its clock is one of hours or days: it does not wait for sockets to come back.
    is_slow = models.BooleanField(default=False)
    #: By which its game finds it again, such as "quick".
    mark = models.CharField(max_length=20, blank=True)
    #: The only one who may sit down beside the opener.
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    #: It counts for ratings; there are points in it.  Known for good once the match has started.
    is_rated = models.BooleanField(default=False)
    is_staked = models.BooleanField(default=False)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    void_reason = models.CharField(max_length=200, blank=True)
    successor = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="predecessor"
    )

    class Meta:
        indexes = [models.Index(fields=["status", "listed"], name="match_status_listed")]
        verbose_name_plural = "matches"

    def __str__(self) -> str:
        return f"{self.title} ({self.public_id})"

    def __repr__(self) -> str:
        return f"<Match {self.public_id} {self.status}>"

    @property
    def is_live(self) -> bool:
        """Whether people can still sit or play here."""
        return self.status in self.LIVE


class Seat(models.Model):
    """A user's numbered place at a match.

    ``net`` (in points) and ``result`` are known once the match is over; a match that nobody won
    and nobody drew has no result.
    """

    class Result(models.TextChoices):
        """How a match ended for one seat."""

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
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "no"], name="one_user_a_seat"),
            models.UniqueConstraint(fields=["match", "user"], name="one_seat_a_user"),
        ]

    def __str__(self) -> str:
        return f"seat {self.no} of match {self.match_id}"


class MatchAction(models.Model):
    """The input log: what was accepted, in order.  ``seat`` is null for deadlines and the house."""

    # Found by the index of a constraint, whose first column it is.
    match = models.ForeignKey(Match, models.PROTECT, related_name="actions", db_index=False)
    no = models.PositiveIntegerField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    seat = models.PositiveSmallIntegerField(null=True)
    action_id = models.CharField(max_length=64)
    body_sha256 = models.CharField(max_length=64)
    action = models.TextField()
    at_ms = models.BigIntegerField()
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "no"], name="action_numbers_are_dense"),
            models.UniqueConstraint(
                fields=["match", "actor", "action_id"], name="action_id_once_an_actor"
            ),
        ]

    def __str__(self) -> str:
        return f"action {self.no} of match {self.match_id}"


class MatchEvent(models.Model):
    """A fact that became true.

    ``audience`` is null for everybody, else the seats that may read it, in canonical text.
    ``text`` is a public fact's sentence, with the names as they were then.
    """

    # Found by the index of a constraint, whose first column it is.
    match = models.ForeignKey(Match, models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    action_no = models.PositiveIntegerField()
    public_no = models.PositiveIntegerField(null=True)
    phase = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.TextField()
    text = models.CharField(max_length=1000, blank=True)
    audience = models.TextField(null=True)
    at_ms = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="event_seq_once"),
        ]

    def __str__(self) -> str:
        return f"event {self.seq} of match {self.match_id}"


class Post(models.Model):
    """One line of a match's chat.

    ``serial`` counts all lines of the match and is told to nobody; ``no`` those of the room.
    """

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

    def __str__(self) -> str:
        return f"post {self.serial} of match {self.match_id}"


class WebProcess(models.Model):
    """The heartbeat of one web process; ``closed_at`` is set when it stops in good order.

    ``lost`` marks one that stopped without a word: an outage whose time was given back.
    """

    name = models.CharField(max_length=100)
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, db_index=True)
    lost = models.BooleanField(default=False)
    outages = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "web processes"

    def __str__(self) -> str:
        return f"{self.name} since {self.started_at:%Y-%m-%d %H:%M:%S}"


class Presence(models.Model):
    """Which seats and how many spectators have a socket to a match in one web process."""

    process = models.ForeignKey(WebProcess, on_delete=models.CASCADE, related_name="presences")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="presences")
    seats = models.TextField()
    spectators = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["process", "match"], name="one_presence_a_process"),
        ]

    def __str__(self) -> str:
        return f"presence of {self.process_id} at match {self.match_id}"


class Flag(models.Model):
    """Something that an administrator should look at; it stops nobody by itself.

    ``key`` says what it is about, so that it is opened once; ``detail`` is canonical text.
    """

    class Kind(models.TextChoices):
        """What was noticed.  Source: docs/fair-play.md "Flags"."""

        CHIPS = "chips", "points passed on at tables"
        DEVICE = "device", "one device, two accounts at a table"
        ADDRESS = "address", "one network address, two accounts at a table"
        GRANTS = "grants", "starting grants collected"
        REPORT = "report", "a name reported by a player"

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

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.key})"


class PrizeWeek(models.Model):
    """A week whose prizes have been paid, or that had nobody to pay, such as "2026-W47"."""

    week = models.CharField(max_length=8, unique=True)
    decided_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.week
