"""Models around posts, which the journal stores: reports, hidden posts, mutes and notes."""

from django.conf import settings
from django.db import models

from games.matches.models.conduct import Flag
from games.matches.models.matches import Match


class HiddenPost(models.Model):
    """A post that is shown to nobody any more, identified by its number in its room."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    room = models.CharField(max_length=20)
    no = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "room", "no"], name="post_hidden_once"),
        ]

    def __str__(self) -> str:
        return f"a hidden post of match {self.match_id}"


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
            models.UniqueConstraint(fields=["match", "room", "no"], name="post_reported_once"),
        ]

    def __str__(self) -> str:
        return f"a reported post of match {self.match_id}"

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
            models.UniqueConstraint(fields=["match", "user"], name="one_notebook_a_match"),
        ]

    def __str__(self) -> str:
        return f"notes of user {self.user_id} on match {self.match_id}"

    def __repr__(self) -> str:
        return f"<Notebook {self.pk}>"
