"""What Celery does for the site as a whole."""

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
    # Else a broker that has waited two minutes would hand it to another worker as well.
    acks_late=False,
    soft_time_limit=SOFT_LIMIT,
    time_limit=SOFT_LIMIT + 60,
)
def backup() -> None:
    """Copy the database when the newest copy is an hour old; beat asks every five minutes."""
    try:
        made = backups.make_if_due()
    except BackupFailed as problem:
        log.critical("no backup could be made: %s", problem)
    else:
        if made is not None:
            log.info("backup %s was made", made.name)
