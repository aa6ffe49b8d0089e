"""Celery tasks of accounts."""

from celery import shared_task
from django.utils import timezone
from post_office.mail import send_queued

from accounts import retention
from accounts.oversight import lift_ended_bans
from accounts.task_locks import only_run


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
