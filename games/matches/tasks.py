"""What Celery does for the games: it says when, never what."""

from celery import shared_task
from django.utils.module_loading import import_string

from games import catalog
from games.contests import services as contests
from games.play import repair
from games.services import flags, reminders, rewards


@shared_task(ignore_result=True)
def sweep() -> None:
    """Let every passed clock act.  Beat sends this every five seconds.

    Deadlines live in the database, not in the broker: a task with an ETA is delivered again once
    it waits longer than Redis's visibility time-out, and is lost with the broker.
    """
    for part in repair.SWEEP:
        part()
    contests.sweep()
    for game in catalog.games():
        for name in game.sweeps:
            import_string(name)()


@shared_task(ignore_result=True)
def remind() -> None:
    """Write to those for whom slow games wait.  Beat sends this every 15 seconds.

    Apart from the sweep: no clock waits for a mail server.
    """
    reminders.send_reminders()


@shared_task(ignore_result=True)
def look_for_abuse() -> None:
    """Flag what an administrator should look at.  Beat sends this every minute."""
    flags.look_for_abuse()


@shared_task(ignore_result=True)
def pay_rewards() -> None:
    """Pay the prizes of past weeks, and for invited players.  Beat sends this every minute.

    Nothing is missed while nobody runs it: it looks at all that is not decided yet.
    """
    rewards.pay_prizes()
    rewards.pay_referrals()
