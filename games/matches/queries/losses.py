"""Losses between players in games for points, and what running games put at stake."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any, Final

from django.db.models import CharField, DateTimeField, F, QuerySet

from accounts.models import User
from economy.models import Transfer
from economy.payouts import given_between
from economy.sql import USERS, Compiled, Given, GivenMany
from economy.transfers import TransferCode, user_owner
from games.matches.models import Match, Seat, of_match
from games.matches.models.matches import CALLED_OFF, start_group

#: (loser, winner) -> points; only amounts above 0.
Losses = Counter[tuple[int, int]]
_DAY = timedelta(days=1)
#: The seat is in a running game for points.
_STAKED: Final = of_match(status=Match.Status.RUNNING, is_staked=True)
_NET: Final = ("match", "user", "net")
#: User -> purse, in points, in one game.
Purses = Mapping[int, int]


def midnight_before(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def finished_seats(since: datetime | Given) -> QuerySet[Seat]:
    """Return the seats of matches that were played to their end since then."""
    ended = Seat.objects.filter(match__ended_at__gte=since)
    return ended.exclude(match__status__in=CALLED_OFF)


def net_losses(users: Collection[int], at: datetime) -> Losses:
    """Return these users' losses to each other since midnight UTC, wins back deducted."""
    gross = _gross_losses(_NETS.rows(users=users, since=midnight_before(at)))
    wanted = frozenset(users)
    return +Losses({p: lost - gross[p[::-1]] for p, lost in gross.items() if wanted.issuperset(p)})


def points_between(user_id: int, since: datetime) -> Counter[int]:
    """Return other user -> points won from them, below 0: lost to them."""
    mine = finished_seats(since).filter(user=user_id)
    moved = Counter[int]()
    gross = _gross_losses(_nets_in(mine))
    for (loser, winner), lost in gross.items():
        if user_id == winner:
            moved[loser] += lost
        elif user_id == loser:
            moved[winner] -= lost
    return moved


def losses_of_day(at: datetime, since: datetime | None = None) -> Losses:
    """Return people's losses since midnight UTC; ``since``: of who finished a game then."""
    people = finished_seats(since or midnight_before(at)).filter(user__is_bot=False)
    return net_losses(set(people.values_list("user", flat=True)), at)


def losses_of(nets: Iterable[tuple[int, int]]) -> Losses:
    """Return the losses to each winner of a game: shares of what was lost, rounded up."""
    nets = list(nets)
    won = {user: net for user, net in nets if net > 0}
    total = sum(won.values())
    return Losses(
        {
            (loser, winner): -(net * gain // total)
            for loser, net in nets
            if net < 0
            for winner, gain in won.items()
        }
    )


def points_collected(day: datetime, games: Collection[str] | None = None) -> dict[int, Losses]:
    """Return user -> points on a UTC day that others had been given, losses deducted."""
    over = finished_seats(day).filter(match__ended_at__lt=day + _DAY)
    if games is not None:
        over = over.filter(match__game__in=games)
    young = over.filter(user__is_bot=False, user__date_joined__gte=F("match__ended_at") - _DAY)
    newcomers = set(young.values_list("user", flat=True))
    given = given_between(day - 6 * _DAY, day + _DAY)
    players = set(over.values_list("user", flat=True))
    givers = over.filter(user__in=newcomers | (given.keys() & players))
    gross = _gross_losses(over.filter(match__in=givers.values("match")).values_list(*_NET))
    bots = set(User.objects.filter(is_bot=True).values_list("pk", flat=True))
    found: dict[int, Losses] = defaultdict(Losses)
    for (loser, winner), lost in gross.items():
        won = lost - gross[winner, loser]
        # Of a new account all counts, as it has its grant; of others what the site gave in a week.
        counted = won if loser in newcomers else min(won, given[loser])
        if winner not in bots and counted > 0:
            found[winner][loser, winner] = counted
    return dict(found)


def _nets_in(seats: QuerySet[Seat]) -> QuerySet[Seat, Any]:
    """Return (match, user, net) of all seats of these seats' matches."""
    return Seat.objects.filter(match__in=seats.values("match")).values_list(*_NET)


def _gross_losses(nets_by_match: Iterable[Any]) -> Losses:
    games: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match, user, net in nets_by_match:
        games[match].append((user, net or 0))
    gross = Losses()
    for nets in games.values():
        gross.update(losses_of(nets))
    return gross


def purses_in_play(users: Collection[int]) -> list[Purses]:
    """Return the purses of all players in each running game of one of these users."""
    seats = _AT_STAKE.rows(users=users)
    if not seats:
        return []
    owners = {user_owner(user): user for _, user in seats}
    groups = {start_group(match) for match, _ in seats}
    purses: dict[str, dict[int, int]] = defaultdict(dict)
    for group, owner, points in _COLLECTED.rows(groups=groups, owners=owners):
        purses[group][owners[owner]] = points
    return list(purses.values())


def stakes_between(users: Collection[int], games: Collection[Purses]) -> Counter[tuple[int, int]]:
    """Return (loser, winner) -> points at stake among these users."""
    stakes: Counter[tuple[int, int]] = Counter()
    for purses in games:
        for one, other in permutations(sorted(purses.keys() & users), 2):
            # Nobody can win more from another than the smaller of both purses.
            stakes[one, other] += min(purses[one], purses[other])
    return stakes


def stakes_with(user_id: int, bots: Collection[int], games: Collection[Purses]) -> int:
    """Return the most points that a user may win from these bots."""
    return sum(
        min(purses[user_id], purse)
        for purses in games
        if user_id in purses
        for other, purse in purses.items()
        if other in bots
    )


def _collected() -> QuerySet[Transfer, Any]:
    purses = Transfer.objects.filter(
        group__in=GivenMany("groups", CharField()),
        code=TransferCode.PURSE,
        debit__owner__in=GivenMany("owners", CharField()),
    )
    return purses.values_list("group", "debit__owner", "amount")


_COLLECTED: Final = Compiled(_collected)
_NETS: Final = Compiled(
    lambda: _nets_in(finished_seats(Given("since", DateTimeField())).filter(user__in=USERS))
)
_AT_STAKE: Final = Compiled(
    lambda: Seat.objects.filter(
        match__in=Seat.objects.filter(_STAKED, user__in=USERS).values("match")
    ).values_list("match", "user")
)
