"""Celery tasks of accounts, and a lock of tasks whose runs must not overlap."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from celery import shared_task
from django.db.models import Q
from django.utils import timezone
from post_office.mail import send_queued

from accounts import retention
from accounts.models import TaskLock
from accounts.oversight import lift_ended_bans

#: A task is killed before this, so an older lock has no owner.
LOCKED_FOR: Final = timedelta(seconds=60)


@contextmanager
def only_run(name: str) -> Iterator[bool]:
    """Give whether no other run of a task is under way; a killed one counts for a minute."""
    now = timezone.now()
    ours = now + LOCKED_FOR
    # Not in the cache, which forgets entries when it is full.
    TaskLock.objects.get_or_create(name=name)
    row = TaskLock.objects.filter(name=name)
    # Further ahead than any run says: the machine's clock was set back.
    is_free = Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=ours)
    is_ours = row.filter(is_free).update(held_until=ours) == 1
    try:
        yield is_ours
    finally:
        if is_ours:
            row.filter(held_until=ours).update(held_until=None)


@shared_task(name="accounts.send_mail", ignore_result=True)
def send_mail() -> None:
    """Send a batch of the queued mails, in one run at a time; beat runs this every 10 seconds."""
    with only_run("send_mail") as is_only:
        if is_only:
            send_queued(processes=1)


@shared_task(name="accounts.forget_what_ended", ignore_result=True)
def forget_what_ended() -> None:
    """Delete old personal data, lift ended bans; beat runs this hourly."""
    retention.delete_old()
    lift_ended_bans(timezone.now().date())
