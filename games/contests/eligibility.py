"""Fair play's rules for those who are ready to begin a game; contestmasters who have gone.
Source: docs/explanation/fair-play.md; docs/explanation/contests.md "A game begins".
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from django.db.models import QuerySet

from accounts.devices import not_seen_since
from accounts.models import User
from accounts.people import away_among
from economy.selectors import setting
from games.engine.errors import IllegalAction
from games.matches.processing.seating import has_seats
from games.moderation.fair_play import FairPlayBatch, require_fair_company, require_no_cool_down


class IsAway(IllegalAction):
    """The user is marked as away; detail: until, the last day of the absence."""

    code: ClassVar[str] = "contest/away"


def require_not_away(user_id: int, at: datetime) -> None:
    """Require that the user is not marked as away; raises IsAway."""
    until = away_among([user_id], at.date()).get(user_id)
    if until is not None:
        day = f"{until.day} {until:%B %Y}"
        raise IsAway(
            f"you have said that you are away until {day}: say first that you are back",
            until=until.isoformat(),
        )


def gone(now: datetime) -> QuerySet[User]:
    """Return the users who are no contestmasters any more: not here for long, or closed."""
    since = now - timedelta(days=setting("contests.master_days"))
    return User.objects.filter(is_active=False) | not_seen_since(since)


class Eligibility:
    """The ready users by id, and the checks on them."""

    def __init__(self, users: Sequence[int], at: datetime) -> None:
        self.users = User.objects.in_bulk(users)
        self._at = at
        self._asked = FairPlayBatch()
        self._asked.expect(users)
        self._most = setting("tables.live_seats")

    def objection(self, user_id: int, others: Sequence[int]) -> str | None:
        """Return the reason why a user may not begin a game with the others, None if allowed. Only
        the user is shown the reason.
        """
        user = self.users[user_id]
        if not user.is_active:
            return "your account is closed"
        if has_seats(user_id, self._most):
            return f"you sit at {self._most} tables, which is the most"
        try:
            company = [self.users[other] for other in others]
            require_fair_company(user, company, self._at, self._asked)
            require_no_cool_down(user_id, self._at, self._asked)
        except IllegalAction as refusal:
            return refusal.message
        return None
