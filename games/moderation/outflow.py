"""Points that one account has ever lost to another one and its company."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Q, QuerySet

from accounts.devices import Sighting, company_among, shared_sightings
from accounts.models import User
from economy.sql import USERS, Compiled
from games.matches.models import PairLoss
from games.matches.queries.losses import Losses, finished_seats

#: The opponents of a user among whom a winner's company is looked for: those who won most.
MOST_OPPONENTS: Final = 20
#: Fewer points with somebody who is not at the table are not looked at.
LITTLE: Final = 5


class Known(NamedTuple):
    """Losses, sightings and stakes of some users. ``ever``: (one, other) -> net loss in points,
    negative for a gain; ``stakes``: what running games may add to it.
    """

    ever: Losses
    seen: Mapping[int, Sequence[Sighting]]
    stakes: Losses


class Outflow(NamedTuple):
    """An account's losses to another one and its company, and their limit, in points."""

    lost: int
    at_stake: int
    most: int

    @property
    def room(self) -> int:
        return max(0, self.most - self.lost - self.at_stake)

    @property
    def is_suspicious(self) -> bool:
        """Whether half of what it may lose is really lost."""
        return 2 * self.lost >= self.most


def losses_ever(users: Collection[int]) -> Losses:
    """Return (one, other) -> net loss, both ways, of these users with all whom they ever played.
    Little losses to others are left out.
    """
    # All points count: a chain of accounts hides to whom the site gave them.
    ever = Losses()
    for one, other, lost in _LOSSES.rows(users=users):
        ever[one, other], ever[other, one] = lost, -lost
    return ever


def _losses() -> QuerySet[PairLoss, Any]:
    little = Q(points__gt=-LITTLE, points__lt=LITTLE) & ~Q(loser__in=USERS, winner__in=USERS)
    rows = PairLoss.objects.filter(Q(loser__in=USERS) | Q(winner__in=USERS)).exclude(little)
    return rows.values_list("loser", "winner", "points")


_LOSSES: Final = Compiled(_losses)


def winners_from(loser_id: int, ever: Losses) -> list[int]:
    """Return the opponents who have won most from a user."""
    won = [(-lost, other) for (one, other), lost in ever.items() if one == loser_id and lost > 0]
    return [other for _, other in sorted(won)[:MOST_OPPONENTS]]


def limit(joined: datetime, at: datetime, numbers: Mapping[str, int]) -> int:
    """Return the points that an account may have lost to another one: more with each day."""
    days = max(0, (at - joined).days)
    return numbers["fair.pair_ever"] + numbers["fair.pair_ever_daily"] * days


def outflow(
    loser: User, winner_id: int, known: Known, numbers: Mapping[str, int], at: datetime
) -> Outflow:
    """Return a user's loss to another one and its company: who shares a device with the winner; by
    half who shares an address, or has lost half a new account's limit to the winner.
    """
    others = {*winners_from(loser.pk, known.ever), *(other for _, other in known.stakes)}
    others -= {loser.pk, winner_id}
    company = company_among(winner_id, others, known.seen)
    feeders = {
        other for other in others if 2 * known.ever[other, winner_id] >= numbers["fair.pair_ever"]
    }
    halves = dict.fromkeys((company.by_address | feeders) - company.by_device, 1)
    halves |= dict.fromkeys({winner_id, *company.by_device}, 2)

    def total(points: Losses) -> int:
        return sum(part * points[loser.pk, other] for other, part in halves.items()) // 2

    return Outflow(total(known.ever), total(known.stakes), limit(loser.date_joined, at, numbers))


def outflows_since(
    since: datetime, at: datetime, numbers: Mapping[str, int]
) -> list[tuple[tuple[int, int], Outflow]]:
    """Return the suspicious (loser, winner) and losses of those who finished a game."""
    lately = finished_seats(since).filter(user__is_bot=False).exclude(net=0)
    ever = losses_ever(set(lately.values_list("user", flat=True)))
    least = numbers["fair.pair_ever"]
    pairs = sorted(pair for pair, lost in ever.items() if 2 * lost >= least)
    losers = User.objects.in_bulk({loser for loser, _ in pairs})
    people = {user for pair in pairs for user in pair}
    people |= {other for loser in losers for other in winners_from(loser, ever)}
    lent = at - timedelta(days=numbers["fair.device_days"])
    known = Known(ever, shared_sightings(people, lent), Losses())
    flows = [(pair, outflow(losers[pair[0]], pair[1], known, numbers, at)) for pair in pairs]
    return [(pair, flow) for pair, flow in flows if flow.is_suspicious]
