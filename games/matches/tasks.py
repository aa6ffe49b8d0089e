"""Celery tasks of matches."""

from celery import shared_task
from django.utils.module_loading import import_string

from games import registry
from games.matches.processing import repair


@shared_task(name="matches.sweep", ignore_result=True)
def sweep() -> None:
    """Fire every passed deadline and due bot, every five seconds."""
    # Not by ETA: such a task comes again after Redis's visibility timeout, or is lost with Redis.
    for part in repair.SWEEP:
        part()
    for name in (*registry.SWEEPS, *(name for game in registry.games() for name in game.sweeps)):
        import_string(name)()
