"""Losses between players, in all games with points at stake; read-only. The loss of a game is
shared among its winners in proportion to what each won, rounded up, so at a table for two it is all
that was lost, tax included.  Voided games do not count.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from accounts.models import User
from economy.awards import given_between
from games.matches.models import Seat
from games.matches.models.matches import CALLED_OFF

#: (loser, winner) -> points; only amounts above 0.
Losses = Counter[tuple[int, int]]
_DAY = timedelta(days=1)


def midnight_before(at: datetime) -> datetime:
    """Return the beginning of the UTC day."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def finished_seats(since: datetime) -> QuerySet[Seat]:
    """Return the seats of matches that were played to their end since then; see CALLED_OFF."""
    ended = Seat.objects.filter(match__ended_at__gte=since)
    return ended.exclude(match__status__in=CALLED_OFF)


def net_losses(users: Collection[int], at: datetime) -> Losses:
    """Return these users' losses to each other since midnight UTC, wins back deducted."""
    mine = finished_seats(midnight_before(at)).filter(user__in=users)
    seats = Seat.objects.filter(match__in=mine.values("match"))
    rows = seats.values_list("match", "user", "net")
    gross = sum((losses_of(game) for game in _by_match(rows)), Losses())
    wanted = frozenset(users)
    return +Losses(
        {
            (loser, winner): lost - gross[winner, loser]
            for (loser, winner), lost in gross.items()
            if loser in wanted and winner in wanted
        }
    )


def points_between(user_id: int, since: datetime) -> Counter[int]:
    """Return other user -> points won from them, below 0: lost to them, since an instant."""
    mine = finished_seats(since).filter(user=user_id)
    rows = Seat.objects.filter(match__in=mine.values("match")).values_list("match", "user", "net")
    moved = Counter[int]()
    for game in _by_match(rows):
        for (loser, winner), lost in losses_of(game).items():
            if user_id == winner:
                moved[loser] += lost
            elif user_id == loser:
                moved[winner] -= lost
    return moved


def losses_of_day(at: datetime, since: datetime | None = None) -> Losses:
    """Return people's losses to each other since midnight UTC, wins back deducted. ``since``: only
    of people who finished a game since then; None: since midnight.
    """
    people = finished_seats(since or midnight_before(at)).filter(user__is_bot=False)
    return net_losses(set(people.values_list("user", flat=True)), at)


def losses_of(nets: Iterable[tuple[int, int]]) -> Losses:
    """Return the losses to each winner of one game.

    >>> losses_of([(1, -100), (2, 60), (3, 35)])[1, 2]
    64
    """
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
    """Return user -> points on a UTC day that others had been given, losses back deducted.

    All winnings from an account under a day old count, which has its starting grant; winnings from
    other accounts count up to what the site gave them in the last seven days.

    Args:
        day: the beginning of the day.
        games: only in these; None takes all.
    """
    over = finished_seats(day).filter(match__ended_at__lt=day + _DAY)
    if games is not None:
        over = over.filter(match__game__in=games)
    young = over.filter(user__is_bot=False, user__date_joined__gte=F("match__ended_at") - _DAY)
    newcomers = set(young.values_list("user", flat=True))
    given = given_between(day - 6 * _DAY, day + _DAY)
    players = set(over.values_list("user", flat=True))
    givers = over.filter(user__in=newcomers | (given.keys() & players))
    rows = over.filter(match__in=givers.values("match")).values_list("match", "user", "net")
    gross = sum((losses_of(game) for game in _by_match(rows)), Losses())
    bots = set(User.objects.filter(is_bot=True).values_list("pk", flat=True))
    found: dict[int, Losses] = defaultdict(Losses)
    for (loser, winner), lost in gross.items():
        won = lost - gross[winner, loser]
        counted = won if loser in newcomers else min(won, given[loser])
        if winner not in bots and counted > 0:
            found[winner][loser, winner] = counted
    return dict(found)


def _by_match(rows: Iterable[tuple[int, int, int | None]]) -> list[list[tuple[int, int]]]:
    games: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for match, user, net in rows:
        games[match].append((user, net or 0))
    return list(games.values())
