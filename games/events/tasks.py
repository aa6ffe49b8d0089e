"""Celery tasks of events."""

from celery import shared_task
from django.utils import timezone

from games.events import personal, services


@shared_task(name="matches.plan_events", ignore_result=True)
def plan_events() -> None:
    """Make what the schedules ask for, forget empty events, call who is registered; each minute."""
    services.make_scheduled()
    services.forget_empty(timezone.now())
    personal.call_by_push(timezone.now())
