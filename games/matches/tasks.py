"""Celery tasks of matches: each calls one service, without arguments."""

from celery import shared_task
from django.utils.module_loading import import_string

from games import registry
from games.matches.processing import repair
from games.matches.services import flags, reminders, rewards


@shared_task(name="matches.sweep", ignore_result=True)
def sweep() -> None:
    """Let every passed clock act.  Beat sends this every five seconds.

    Deadlines live in the database, not in the broker: a task with an ETA is delivered again once
    it waits longer than Redis's visibility time-out, and is lost with the broker.
    """
    for part in repair.SWEEP:
        part()
    for name in registry.sweeps():
        import_string(name)()


@shared_task(name="matches.remind", ignore_result=True)
def remind() -> None:
    """Write to those for whom slow games wait.  Beat sends this every 15 seconds.

    Apart from the sweep: no clock waits for a mail server.
    """
    reminders.send_reminders()


@shared_task(name="matches.look_for_abuse", ignore_result=True)
def look_for_abuse() -> None:
    """Flag what an administrator should look at.  Beat sends this every minute."""
    flags.look_for_abuse()


@shared_task(name="matches.pay_rewards", ignore_result=True)
def pay_rewards() -> None:
    """Pay the prizes of past weeks, and for invited players.  Beat sends this every minute.

    Nothing is missed while nobody runs it: it looks at all that is not decided yet.
    """
    rewards.pay_prizes()
    rewards.pay_referrals()
