"""Points at stake in running games, by the ledger's collected purses; read-only. Daily limits count
them as lost, because a running game may end at any moment.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from itertools import permutations
from typing import Final

from economy.codes import TransferCode
from economy.models import Transfer
from economy.selectors import held_in_games
from economy.transfers import user_owner
from games.matches.models import Match, Seat, of_match
from games.matches.models.matches import start_group

#: The seat is in a running game for points.
_STAKED: Final = of_match(status=Match.Status.RUNNING, is_staked=True)
#: User -> purse, in points, in one game.
Purses = Mapping[int, int]


def points_in_play(user_id: int) -> int:
    """Return a user's points in running games: one query for users who play for none."""
    return held_in_games(user_id) if Seat.objects.filter(_STAKED, user=user_id).exists() else 0


def purses_in_play(users: Collection[int]) -> list[Purses]:
    """Return the purses of all players, bots too, in each running game of one of these users."""
    mine = Seat.objects.filter(_STAKED, user__in=users).values("match")
    seats = Seat.objects.filter(match__in=mine).values_list("match", "user")
    owners = {user_owner(user): user for _, user in seats}
    groups = {start_group(match) for match, _ in seats}
    if not groups:
        return []
    collected = Transfer.objects.filter(
        group__in=groups, code=TransferCode.PURSE, debit__owner__in=list(owners)
    )
    purses: dict[str, dict[int, int]] = defaultdict(dict)
    for group, owner, points in collected.values_list("group", "debit__owner", "amount"):
        purses[group][owners[owner]] = points
    return list(purses.values())


def stakes_between(users: Collection[int], games: Collection[Purses]) -> Counter[tuple[int, int]]:
    """Return (loser, winner) -> points at stake among these users.

    >>> stakes_between({1, 2}, [{1: 50, 2: 20, 3: 90}])
    Counter({(1, 2): 20, (2, 1): 20})
    """
    stakes: Counter[tuple[int, int]] = Counter()
    for purses in games:
        for one, other in permutations(sorted(purses.keys() & users), 2):
            # Nobody can win more from another than the smaller of both purses.
            stakes[one, other] += min(purses[one], purses[other])
    return stakes


def stakes_with(user_id: int, bots: Collection[int], games: Collection[Purses]) -> int:
    """Return the most points that a user may win from these bots.

    >>> stakes_with(1, {3, 4}, [{1: 50, 2: 20, 3: 90, 4: 10}, {1: 5, 2: 5}])
    60
    """
    return sum(
        min(purses[user_id], purse)
        for purses in games
        if user_id in purses
        for other, purse in purses.items()
        if other in bots
    )
