"""What may be done in the arena beside the socket: reports of names, and forgetting old rounds.

Source: docs/arena.md "What is stored"; docs/fair-play.md "Flags".
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from economy.selectors import setting
from games.arena.models import Fight, Grant, Round
from games.matches.services import flags

#: So many rounds are forgotten at once: a sweep every five seconds forgets faster than they come.
ROUNDS: Final = 3


def report(*, user: User, name: str, reason: str, at: datetime | None = None) -> bool:
    """Let an administrator look at a name; return whether that is a new flag.

    It is none a second time on the same day, for an unknown name, and for one's own.

    Args:
        user: who reports.
        reason: in words; cut to 500 characters.
    """
    reported = User.objects.filter(username=name).exclude(pk=user.pk).first()
    if reported is None:
        return False
    return flags.open_flag(flags.reported(user.pk, reported.pk, reason[:500], at or timezone.now()))


def forget_old_rounds(at: datetime | None = None) -> int:
    """Delete each player's part of rounds that were over long enough ago; return of how many.

    What remains of a round are its options, counts and seed.
    """
    limit = (at or timezone.now()) - timedelta(days=setting("arena.days_kept"))
    old = Round.objects.filter(is_full=True, resolved_at__lt=limit).order_by("resolved_at")
    numbers = list(old.values_list("no", flat=True)[:ROUNDS])
    if numbers:
        with transaction.atomic():
            Fight.objects.filter(round_no__in=numbers).delete()
            Grant.objects.filter(round_no__in=numbers).delete()
            Round.objects.filter(no__in=numbers).update(is_full=False)
    return len(numbers)
