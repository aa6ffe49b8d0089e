"""What Celery asks of accounts."""

from typing import Final

from celery import shared_task
from django.core.cache import cache
from post_office.mail import send_queued

_SENDING: Final = "accounts:sending-mail"
#: A task is killed before this, so a lock that is still there belongs to nobody.
_LOCKED_FOR: Final = 60


@shared_task(ignore_result=True)
def send_mail() -> None:
    """Send a batch of the mail that requests have queued; beat runs this every 10 seconds.

    Two workers at once would send everything twice, on whichever machines they are.
    """
    if not cache.add(_SENDING, value=True, timeout=_LOCKED_FOR):
        return
    try:
        send_queued(processes=1)
    finally:
        cache.delete(_SENDING)
