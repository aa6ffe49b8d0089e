"""Celery tasks of matches: each calls services and takes no arguments."""

from celery import shared_task
from django.utils.module_loading import import_string

from games import registry
from games.matches.processing import repair


@shared_task(name="matches.sweep", ignore_result=True)
def sweep() -> None:
    """Fire every passed deadline and due bot.  Beat sends this every five seconds. Deadlines live
    in the database, not in the broker: a task with an ETA is delivered again once it waits longer
    than Redis's visibility timeout, and is lost with the broker.
    """
    for part in repair.SWEEP:
        part()
    for name in (*registry.SWEEPS, *(name for game in registry.games() for name in game.sweeps)):
        import_string(name)()
