"""Celery tasks of standings."""

from celery import shared_task

from games.standings import rewards


@shared_task(name="matches.pay_rewards", ignore_result=True)
def pay_rewards() -> None:
    """Pay prizes of past weeks, referrals, and parts of new accounts' grants, each minute. A pause
    loses nothing: each run pays what is not paid yet.
    """
    rewards.pay_prizes()
    rewards.pay_referrals()
    rewards.pay_grants()
