"""Celery tasks of own data: each calls services and takes no arguments."""

from celery import shared_task

from games.own_data import retelling


@shared_task(name="matches.finish_renames", ignore_result=True)
def finish_renames() -> None:
    """Tell new names in matches that ran at the rename.  Beat sends this hourly."""
    retelling.finish_renames()
