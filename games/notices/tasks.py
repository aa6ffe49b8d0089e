"""Celery tasks of notices."""

from celery import shared_task

from games.notices import reminders


@shared_task(name="matches.remind", ignore_result=True)
def remind() -> None:
    """Send the due mails of slow games; apart from the sweep: no deadline waits for them."""
    reminders.send_reminders()


@shared_task(name="matches.notify", ignore_result=True)
def notify() -> None:
    """Send the due notifications to browsers."""
    reminders.send_notifications()
