"""The tables of events."""

from typing import ClassVar, Final
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models

from games.events import LABEL
from games.matches.models import Match, Pledge, new_public_id

LONGEST_NAME: Final = 40


def _require_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError("A time zone such as Europe/Berlin.")


class Schedule(models.Model):
    """An appointment that comes again, by the clock of a time zone. ``weekday``: from Monday, 0.
    ``lead``: minutes of registration. ``fill``: bots make the players up to this number.
    """

    class Every(models.TextChoices):
        HOUR = "hour", "each hour"
        DAY = "day", "daily"
        WEEK = "week", "weekly"

    name = models.CharField(max_length=LONGEST_NAME)
    every = models.CharField(max_length=4, choices=Every.choices)
    weekday = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(6)])
    hour = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(23)])
    minute = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(59)])
    zone = models.CharField(max_length=50, default="UTC", validators=[_require_zone])
    lead = models.PositiveSmallIntegerField(default=60, validators=[MaxValueValidator(10_080)])
    fill = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(16)])
    for_programs = models.BooleanField(default=False)
    is_on = models.BooleanField(default=True)

    class Meta:
        app_label = LABEL

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """An appointment. ``pledge``: the seed of its draws; ``station``: the current one, drawn at
    ``drawn_at``; ``looked_at``: when people were asked whether they are here, then the last look at
    it. ``has_cups``: two people or more played it to the end.
    """

    class Status(models.TextChoices):
        ANNOUNCED = "announced"
        RUNNING = "running"
        OVER = "over"
        VOID = "void"
        SKIPPED = "skipped"

    LIVE = (Status.ANNOUNCED, Status.RUNNING)

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id)
    name = models.CharField(max_length=LONGEST_NAME)
    game = models.CharField(max_length=20)
    schedule = models.ForeignKey(
        Schedule, null=True, on_delete=models.SET_NULL, related_name="events"
    )
    founder = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    listed = models.BooleanField(default=True)
    for_programs = models.BooleanField(default=False)
    fill = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.ANNOUNCED)
    reason = models.CharField(max_length=100, blank=True)
    opens_at = models.DateTimeField()
    starts_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    has_cups = models.BooleanField(default=False)
    station = models.PositiveSmallIntegerField(default=0)
    drawn_at = models.DateTimeField(null=True)
    looked_at = models.DateTimeField(null=True)
    pledge = models.OneToOneField(Pledge, on_delete=models.PROTECT, related_name="event")

    class Meta:
        app_label = LABEL
        indexes: ClassVar = [models.Index(fields=["status", "starts_at"], name="events_due")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["schedule", "starts_at"], name="events_once")
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.starts_at:%Y-%m-%d %H:%M} UTC"

    @property
    def is_live(self) -> bool:
        return self.status in self.LIVE


class Entrant(models.Model):
    """A user's part in an event. ``no``: from the start on, in the order of the accounts;
    ``is_in``: registered or still playing; ``is_called``: was called to the start; ``seen_at``:
    answered shortly before it. ``left``: why out, where no match says it.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="entrants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="events"
    )
    entered_at = models.DateTimeField()
    no = models.PositiveSmallIntegerField(null=True)
    is_in = models.BooleanField(default=True)
    is_called = models.BooleanField(default=False)
    seen_at = models.DateTimeField(null=True)
    left = models.CharField(max_length=10, blank=True)
    place = models.PositiveSmallIntegerField(null=True)
    rode_longest = models.BooleanField(default=False)

    class Meta:
        app_label = LABEL
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "user"], name="events_entered_once")
        ]


class Meeting(models.Model):
    """A pair of a station, whose ``pledge`` is the match's seed, or one who rides free. Rows of
    later stations wait without players. ``how``: won, free, wins, throw, draw, absent, barred.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="meetings")
    station = models.PositiveSmallIntegerField()
    no = models.PositiveSmallIntegerField()
    pledge = models.OneToOneField(Pledge, null=True, on_delete=models.PROTECT, related_name="+")
    first = models.ForeignKey(Entrant, null=True, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Entrant, null=True, on_delete=models.PROTECT, related_name="+")
    match = models.OneToOneField(Match, null=True, on_delete=models.PROTECT, related_name="meeting")
    limit_at = models.DateTimeField(null=True)
    winner = models.ForeignKey(Entrant, null=True, on_delete=models.PROTECT, related_name="+")
    how = models.CharField(max_length=6, blank=True)

    class Meta:
        app_label = LABEL
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "station", "no"], name="events_meeting_no")
        ]
