"""Celery tasks of own data."""

from celery import shared_task

from games.own_data import deletion


@shared_task(name="matches.finish_renames", ignore_result=True)
def finish_renames() -> None:
    """Tell new names in matches that ran at the rename; beat sends this hourly."""
    deletion.finish_renames()
