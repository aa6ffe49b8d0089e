"""The web processes and their sockets; what works, and what was checked."""

from django.conf import settings
from django.db import models

from games.matches.models.matches import Match


class WebProcess(models.Model):
    """The heartbeat of a web process; ``lost``: it stopped without closing, an outage."""

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
    """The sockets to a match in one process; ``there``: seats whose page is visible."""

    process = models.ForeignKey(WebProcess, on_delete=models.CASCADE, related_name="presences")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="presences")
    seats = models.TextField()
    there = models.TextField(db_default="[]")
    spectators = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["process", "match"], name="one_presence_a_process")
        ]


class Online(models.Model):
    """When a web process last held a socket of a user's pages."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="online"
    )
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "online"


class Component(models.Model):
    """A part of the site, and when it last worked; ``since_at``: when that was first noted."""

    name = models.CharField(max_length=20, primary_key=True)
    since_at = models.DateTimeField()
    beat_at = models.DateTimeField()


class Downtime(models.Model):
    """A time during which a part did not work; stored once it works again."""

    component = models.CharField(max_length=20)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.component} until {self.ended_at:%Y-%m-%d %H:%M:%S}"


class SelfCheck(models.Model):
    """A check or a repair by the site, with its result in a sentence."""

    class Kind(models.TextChoices):
        RESTORE = "restore", "backup restored and audited"
        REPLAY = "replay", "old games replayed"
        REPAY = "repay", "time given back after an outage"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    at = models.DateTimeField()
    is_good = models.BooleanField()
    note = models.CharField(max_length=200)

    class Meta:
        indexes = [models.Index(fields=["kind", "at"], name="self_checks")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M:%S}"
