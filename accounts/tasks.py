"""Celery tasks of accounts."""

from typing import Final

from celery import shared_task
from django.core.cache import cache
from django.utils import timezone
from post_office.mail import send_queued

from accounts import retention
from accounts.oversight import lift_ended_bans

_SENDING: Final = "accounts:sending-mail"
#: A task is killed before this, so an older lock has no owner.
_LOCKED_FOR: Final = 60


@shared_task(name="accounts.send_mail", ignore_result=True)
def send_mail() -> None:
    """Send a batch of the queued mails; beat runs this every 10 seconds.

    A lock in the cache keeps two workers from sending the same mails.
    """
    if not cache.add(_SENDING, value=True, timeout=_LOCKED_FOR):
        return
    try:
        send_queued(processes=1)
    finally:
        cache.delete(_SENDING)


@shared_task(name="accounts.forget_what_ended", ignore_result=True)
def forget_what_ended() -> None:
    """Delete old personal data, lift ended bans; beat runs this hourly."""
    retention.delete_old()
    lift_ended_bans(timezone.now().date())
