"""Celery task of the duels."""

from celery import shared_task

from games.duel import boards


@shared_task(name="matches.keep_boards", ignore_result=True)
def keep_boards() -> None:
    """Keep the boards of long duels; beat sends this every ten minutes."""
    boards.keep_boards()
