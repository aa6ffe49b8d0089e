"""Etags, by which a page detects a change: short texts, all public.

Source: docs/contests.md "The pages".
"""

import hashlib

from django.db.models import Count, Sum

from games.contests import models


def of(row: models.Contest) -> str:
    """Return the etag of a contest: it changes with its history and with its running game.

    It covers only the part of that game that lists show: a count of actions would reveal who is
    awake.
    """
    lines = models.Contest.objects.values_list("lines", flat=True).get(pk=row.pk)
    running = row.played.filter(ended_at=None).values_list("match__status", "match__summary")
    return _short(f"{lines} {running.first()}")


def of_all() -> str:
    """Return the etag of the list: it changes with the history of any contest."""
    found = models.Contest.objects.aggregate(contests=Count("pk"), lines=Sum("lines"))
    return _short(f"{found['contests']} {found['lines']}")


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
