"""What Celery asks of accounts."""

from celery import shared_task
from post_office.mail import send_queued_mail_until_done


@shared_task(ignore_result=True)
def send_mail() -> None:
    """Send the mail that requests have queued; beat runs this every 10 seconds."""
    send_queued_mail_until_done(processes=1)
