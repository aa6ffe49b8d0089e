"""Celery tasks of notices: each calls services and takes no arguments."""

from celery import shared_task

from games.notices import notifications, reminders


@shared_task(name="matches.remind", ignore_result=True)
def remind() -> None:
    """Send the due reminders of slow games.  Beat sends this every 15 seconds. Separate from the
    sweep, so that no deadline waits for a mail server.
    """
    reminders.send_reminders()


@shared_task(name="matches.notify", ignore_result=True)
def notify() -> None:
    """Send the due notifications to browsers.  Beat sends this every 15 seconds."""
    notifications.send_notifications()
