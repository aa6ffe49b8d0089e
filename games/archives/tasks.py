"""Celery tasks of archives."""

from celery import shared_task

from games.archives import archiving


@shared_task(name="matches.archive", ignore_result=True)
def archive() -> None:
    """Archive journals of matches that ended long ago; beat sends this every minute."""
    archiving.archive_due()
