"""Celery tasks of proofs."""

from celery import shared_task

from games.proofs import commitments


@shared_task(name="matches.log_commitments", ignore_result=True)
def log_commitments() -> None:
    """Append new commitments to the public log, every ten seconds. Web processes do so more often,
    so that no game waits for the worker.
    """
    commitments.sequence()


@shared_task(name="matches.check_old_matches", ignore_result=True)
def check_old_matches() -> None:
    """Replay a sample of finished matches, every hour."""
    commitments.check_old_matches()
