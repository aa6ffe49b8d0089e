"""Celery tasks of moderation."""

from celery import shared_task

from games.moderation import flags


@shared_task(name="matches.look_for_abuse", ignore_result=True)
def look_for_abuse() -> None:
    """Open flags for administrators, each minute."""
    flags.look_for_abuse()
