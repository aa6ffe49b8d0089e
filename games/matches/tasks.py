"""Celery tasks of matches."""

from celery import shared_task

from economy.parts import given
from games.matches.processing import repair


@shared_task(name="matches.sweep", ignore_result=True)
def sweep() -> None:
    """Fire every passed deadline and due bot, every five seconds."""
    # Not by ETA: such a task comes again after Redis's visibility timeout, or is lost with Redis.
    for do in (*repair.SWEEP, *given("sweeps")):
        do()
