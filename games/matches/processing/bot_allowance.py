"""The limit of a person's purse among bots, by the daily limit of winnings from bots.
Source: docs/explanation/fair-play.md "Bots".
"""

from collections.abc import Collection
from datetime import datetime
from typing import ClassVar

from django.db.models import Count, Q, Sum

from accounts.models import User
from economy.selectors import balance_of, setting
from games.engine.errors import IllegalAction
from games.engine.table.state import offered_purse
from games.matches.journal.loading import standing_of
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.queries import ratings
from games.matches.queries.losses import Purses, midnight_before, purses_in_play, stakes_with


class BotLimit(IllegalAction):
    """With bots at the table the purse is limited to today's remaining winnings; detail: most."""

    code: ClassVar[str] = "action/bot_limit"


class BotRoom:
    """The points that users may still win from bots today, as one batch knows it."""

    def __init__(self) -> None:
        self._begun: list[Purses] = []

    def left(self, user_id: int, at: datetime) -> int:
        """Return a user's points, never below 0; points at stake in running games count as won."""
        games = [*purses_in_play([user_id]), *self._begun]
        others = {other for purses in games if user_id in purses for other in purses}
        bots = set(User.objects.filter(pk__in=others, is_bot=True).values_list("pk", flat=True))
        taken = won_from_bots(user_id, at) + stakes_with(user_id, bots, games)
        return max(0, setting("bots.daily_win_limit") - taken)

    def begun(self, locked: LockedMatch) -> None:
        self._begun.append(purses_of(locked))

    def require(self, locked: LockedMatch, user_id: int, purse: int) -> None:
        """Refuse a purse that is too large among the bots of a table; raises BotLimit."""
        if not is_staked(locked) or not any(seat.bot for seat in locked.state.taken):
            return
        left, least = self.left(user_id, locked.now), least_purse(locked)
        # With other people here the least purse passes: then the bots leave at the start.
        if purse > left and (left >= least or not people_at(locked, besides=user_id)):
            raise bot_limit(left, least)

    def offered(self, locked: LockedMatch, user_id: int, purse: int) -> int:
        if not is_staked(locked) or not any(seat.bot for seat in locked.state.taken):
            return purse
        left = self.left(user_id, locked.now)
        return min(purse, left) if left >= least_purse(locked) else purse

    def passed_by(self, locked: LockedMatch) -> dict[int, int]:
        """Return user -> points left, for people here whose purse exceeds them."""
        if not is_staked(locked):
            return {}
        purses = purses_of(locked)
        left = {user_id: self.left(user_id, locked.now) for user_id in people_at(locked)}
        return {user_id: most for user_id, most in left.items() if purses[user_id] > most}


def purse_among_bots(match: Match, user_id: int, at: datetime) -> int:
    """Return the offered purse at an open table to which bots will be added, in points."""
    cached = standing_of(match)
    limits = cached.table.rules.purse_limits(cached.state.options)
    purse, left = offered_purse(limits, balance_of(user_id)), BotRoom().left(user_id, at)
    return min(purse, left) if left >= limits[0] else purse


def is_staked(locked: LockedMatch) -> bool:
    """Whether the table is played for points."""
    return ratings.is_staked(locked.table.rules, locked.state)


def least_purse(locked: LockedMatch) -> int:
    """Return the least purse of the table, in points."""
    return int(locked.table.rules.purse_limits(locked.state.options)[0])


def purses_of(locked: LockedMatch) -> Purses:
    """Return user -> purse of all players here."""
    return {locked.seating.users[seat.no]: int(seat.purse) for seat in locked.state.taken}


def people_at(locked: LockedMatch, besides: int | None = None) -> Collection[int]:
    """Return the ids of the people who sit here, bots left out."""
    return [
        seat.user_id
        for seat in locked.seats.values()
        if not seat.user.is_bot and seat.user_id != besides
    ]


def bot_limit(left: int, least: int, name: str | None = None) -> BotLimit:
    """Build the refusal; ``name`` is the user it is about, None for the one who asked."""
    who, have = ("you", "have") if name is None else (name, "has")
    if not left:
        why = f"{who} {have} won from bots, or at stake, all that they may lose to one today"
    elif left < least:
        why = f"{who} may win {left} points of bots today, which is less than one brings here"
    else:
        why = f"with bots {who} may bring {left} points at most today"
    return BotLimit(why, most=left)


def won_from_bots(user_id: int, at: datetime) -> int:
    """Return a user's winnings from bots since midnight UTC, in points. In a game with other people
    too, no more counts than its bots lost.
    """
    won = Seat.objects.filter(user=user_id, net__gt=0, match__ended_at__gte=midnight_before(at))
    games = won.annotate(
        bots_net=Sum("match__seats__net", filter=Q(match__seats__user__is_bot=True)),
        bots=Count("match__seats", filter=Q(match__seats__user__is_bot=True)),
    ).filter(bots__gt=0)
    return sum(min(seat.net or 0, max(0, -seat.bots_net)) for seat in games)
