"""Mail reminders of slow games: when to check a match, and which users got a mail."""

from django.conf import settings
from django.db import models

from games.matches.models.matches import Match


class ReminderDue(models.Model):
    """When to check a slow match for mails and notifications; null: nothing is due."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    phase = models.PositiveIntegerField()
    at = models.DateTimeField(null=True, db_index=True)
    push_at = models.DateTimeField(null=True, db_index=True)


class Reminder(models.Model):
    """A mail to a user about a phase: stored once, before the mail is sent."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    phase = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "user", "phase"], name="one_reminder_a_phase")
        ]


class Notification(models.Model):
    """A notification about a phase (0: a challenge), stored once before it is sent."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    phase = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "user", "phase"], name="one_notification_a_phase"
            )
        ]
