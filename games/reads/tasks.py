"""Celery tasks of sealed reads."""

from celery import shared_task

from games.reads import scoring


@shared_task(name="matches.score_reads", ignore_result=True)
def score_reads() -> None:
    """Score the reads of matches that have ended; beat sends this each minute."""
    scoring.score_ended()
