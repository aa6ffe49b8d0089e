"""Arena services besides the socket: deleting old rounds.
Source: docs/explanation/arena.md "What is stored".
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from economy.selectors import setting
from games.arena.models import Fight, Grant, Round

#: Rounds deleted by one sweep: with a sweep every five seconds, more than are played.
ROUNDS: Final = 3


def forget_old_rounds(at: datetime | None = None) -> int:
    """Delete players' parts and grants of old rounds; return the number of rounds. A round is old
    ``arena.days_kept`` days after its end.  Its options, counts and seed remain.
    """
    limit = (at or timezone.now()) - timedelta(days=setting("arena.days_kept"))
    old = Round.objects.filter(is_full=True, resolved_at__lt=limit).order_by("resolved_at")
    numbers = list(old.values_list("no", flat=True)[:ROUNDS])
    if numbers:
        with transaction.atomic():
            Fight.objects.filter(round_no__in=numbers).delete()
            Grant.objects.filter(round_no__in=numbers).delete()
            Round.objects.filter(no__in=numbers).update(is_full=False, choices="")
            Round.objects.filter(no__in=numbers, parts__isnull=False).update(candidates="")
    return len(numbers)
