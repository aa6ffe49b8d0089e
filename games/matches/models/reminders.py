"""Mail to those for whom a slow game waits: when to look, and who was written to.

Source: docs/operations.md "Reminders".
"""

from django.conf import settings
from django.db import models

from games.matches.models.matches import Match


class ReminderDue(models.Model):
    """When to look next at a match with a slow clock; nothing is due where ``at`` is null.

    ``phase`` is the one that ``at`` belongs to.
    """

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    phase = models.PositiveIntegerField()
    at = models.DateTimeField(null=True, db_index=True)

    def __str__(self) -> str:
        return f"reminders of match {self.match_id} in phase {self.phase}"


class Reminder(models.Model):
    """That a user was written to because of a phase: once, and noted before the mail is sent."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    phase = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user", "phase"], name="one_reminder_a_phase"),
        ]

    def __str__(self) -> str:
        return f"reminder of user {self.user_id} in phase {self.phase} of match {self.match_id}"
