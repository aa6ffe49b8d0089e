"""Arena services besides the socket: reports of names, and deleting old rounds.

Source: docs/explanation/arena.md "What is stored"; docs/explanation/fair-play.md "Flags".
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from economy.selectors import setting
from games.arena.models import Fight, Grant, Round
from games.matches.services import flags, reports

#: Rounds deleted by one sweep: with a sweep every five seconds, more than are played.
ROUNDS: Final = 3


def report(*, user: User, name: str, reason: str, at: datetime | None = None) -> bool:
    """Report a name to the administrators; return whether that opens a new flag.

    A second report on the same day, an unknown name and the user's own name open none.

    Args:
        user: the reporting user.
        reason: text; cut to 500 characters.

    Raises:
        ReportedEnough: the daily limit of reports is reached.
    """
    at = at or timezone.now()
    reported = User.objects.filter(username=name).exclude(pk=user.pk).first()
    if reported is None:
        return False
    reports.require_report_left(user, at)
    reason = reason[: reports.LONGEST_REASON]
    return flags.open_flag(flags.reported(user.pk, reported.pk, reason, at))


def forget_old_rounds(at: datetime | None = None) -> int:
    """Delete players' parts and grants of old rounds; return the number of rounds.

    A round is old ``arena.days_kept`` days after its end.  Its options, counts and seed remain.
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
