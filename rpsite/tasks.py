"""Celery tasks of the whole site."""

import logging

from celery import shared_task

from rpsite import backups
from rpsite.backups.errors import BackupFailed

log = logging.getLogger(__name__)
#: Seconds.  A large database takes minutes; a longer backup is ended.
SOFT_LIMIT = 15 * 60


@shared_task(
    name="rpsite.backup",
    ignore_result=True,
    # Otherwise the broker would redeliver it to another worker after two minutes.
    acks_late=False,
    soft_time_limit=SOFT_LIMIT,
    time_limit=SOFT_LIMIT + 60,
)
def backup() -> None:
    """Copy the database if the newest copy is an hour old; beat runs this every five minutes."""
    try:
        made = backups.make_if_due()
    except BackupFailed as problem:
        log.critical("no backup could be made: %s", problem)
    else:
        if made is not None:
            log.info("backup %s was made", made.name)
