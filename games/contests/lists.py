"""Lists of contests, and the standings by awards in their games: reads only.

Source: docs/contests.md "The pages".
"""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q

from accounts.models import User
from games.contests import models, terms
from games.contract import TableGame
from games.matches.models import Match
from games.matches.queries.awards import AwardStanding, By, award_standings

#: The most contests in a list, and in the list of closed ones.
LISTED: Final = 100
CLOSED: Final = 20


def listed(user: User | None) -> dict[str, list[dict[str, Any]]]:
    """Return the contests that run a game, that wait, and that are closed; the user's first."""
    here = {game.slug: game for game in terms.games()}
    live = models.ContestGame.objects.filter(
        contest=OuterRef("pk"), ended_at=None, match__status__in=Match.LIVE
    )
    every = (
        models.Contest.objects.filter(game__in=here)
        .annotate(is_running=Exists(live), people=Count("parties"))
        .annotate(ready=Count("parties", filter=Q(parties__ready_no__gt=0)))
        .select_related("master", "founder")
    )
    mine = set(user.contests.values_list("contest", flat=True)) if user else set()
    own = [row.pk for row in every.filter(founder=user)] if user else []
    mine |= set(own)

    def rows_of(found: Iterable[Any]) -> list[dict[str, Any]]:
        shown = [_listed(row, here[row.game], row.pk in mine) for row in found]
        return sorted(shown, key=lambda row: not row["is_mine"])

    awake = every.filter(closed_at=None).order_by("-idle_since", "-pk")
    return {
        "running": rows_of(awake.filter(is_running=True)[:LISTED]),
        "open": rows_of(awake.filter(is_running=False)[:LISTED]),
        "closed": rows_of(every.exclude(closed_at=None).order_by("-closed_at")[:CLOSED]),
    }


def _listed(row: Any, game: TableGame, is_mine: bool) -> dict[str, Any]:
    return {
        "public_id": row.public_id,
        "name": row.name,
        "game": game.title,
        "master": row.master.username if row.master else None,
        "people": row.people,
        "ready": row.ready,
        "games": row.games,
        "closed_at": row.closed_at,
        "is_mine": is_mine,
    }


def standings(row: models.Contest, by: By) -> list[AwardStanding]:
    """Return the standings by awards in the games of a contest."""
    return award_standings(by, list(row.played.values_list("match", flat=True)))


def ended_contests() -> int:
    """Return the number of closed contests with at least one game won or drawn."""
    ended = models.Contest.objects.exclude(closed_at=None)
    return ended.filter(played__how__in=("won", "drawn")).distinct().count()


def site_standings(by: By) -> list[AwardStanding]:
    """Return the standings by awards in the games of all contests."""
    return award_standings(by, list(models.ContestGame.objects.values_list("match", flat=True)))
