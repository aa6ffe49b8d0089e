"""What Celery does for the games: it says when, never what."""

from celery import shared_task

from games.services import repair


@shared_task(ignore_result=True)
def sweep() -> None:
    """Let every passed clock act.  Beat sends this every five seconds.

    Deadlines live in the database, not in the broker: a task with an ETA is delivered again once
    it waits longer than Redis's visibility time-out, and is lost with the broker.
    """
    for part in repair.SWEEP:
        part()
