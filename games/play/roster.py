"""The bots of the site: ordinary users with ordinary wallets, who sit down when asked."""

from __future__ import annotations

from django.db.models import Count, Q

from accounts.models import User
from accounts.services import create_bot
from games.models import Match
from games.play.policies import BOT_NAMES


def ensure_bots() -> None:
    """Create the bots that are missing; what is there stays."""
    there = set(User.objects.filter(username__in=BOT_NAMES).values_list("username", flat=True))
    for name in BOT_NAMES:
        if name not in there:
            create_bot(name=name)


def free_bots() -> list[User]:
    """Return the bots, those at the fewest live tables first, otherwise in any order."""
    live = Q(seats__match__status__in=Match.LIVE)
    bots = User.objects.filter(is_bot=True, is_active=True)
    return list(bots.alias(tables=Count("seats", filter=live)).order_by("tables", "?"))
