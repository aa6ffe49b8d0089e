"""Celery tasks of the whole site."""

import logging
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.utils import timezone

from games.matches.processing.status import note_working
from rpsite import backups
from rpsite.backups import trial
from rpsite.backups.files import BackupFailed
from rpsite.stored_facts import waiting_mails

log = logging.getLogger(__name__)
#: A mail that waits longer means that no mail is sent.
MAIL_LATE = timedelta(minutes=5)
#: Seconds.  A large database takes minutes; a longer backup is ended.
SOFT_LIMIT = 15 * 60
LONG: dict[str, Any] = {
    "ignore_result": True,
    # Otherwise the broker would redeliver it to another worker after two minutes.
    "acks_late": False,
    "soft_time_limit": SOFT_LIMIT,
    "time_limit": SOFT_LIMIT + 60,
}


@shared_task(name="rpsite.backup", **LONG)
def backup() -> None:
    """Copy the database if the newest copy is an hour old; beat runs this every five minutes."""
    try:
        made = backups.make_if_due()
    except BackupFailed as problem:
        log.critical("no backup could be made: %s", problem)
    else:
        if made is not None:
            log.info("backup %s was made", made.name)


@shared_task(name="rpsite.try_restore", **LONG)
def try_restore() -> None:
    """Test the newest copy once a night; beat runs this every ten minutes."""
    check = trial.try_if_due()
    if check is not None:
        log.log(logging.INFO if check.is_good else logging.CRITICAL, "restore test: %s", check.note)


@shared_task(name="rpsite.watch_mail", ignore_result=True)
def watch_mail() -> None:
    """Note that mail works, unless a mail waits too long; beat runs this every 20 seconds."""
    late = waiting_mails().filter(created__lt=timezone.now() - MAIL_LATE, scheduled_time=None)
    if not late.exists():
        note_working(["mail"])
