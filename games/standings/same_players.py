"""The company of a game: its people, compared with those of other games; read-only.
Source: docs/rules/agora.md "Winning and points".
"""

from collections import defaultdict
from collections.abc import Collection

from games.matches.models import Seat


def companies_of(match_ids: Collection[int]) -> dict[int, frozenset[int]]:
    """Return match -> the users at its seats, bots left out."""
    found: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(match__in=match_ids, user__is_bot=False)
    for match_id, user_id in seats.values_list("match", "user"):
        found[match_id].add(user_id)
    return {match_id: frozenset(users) for match_id, users in found.items()}


def is_same_company(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether at least four fifths of the people of the larger game also play the other one.

    >>> is_same_company(frozenset("abcde"), frozenset("abcdx"))
    True
    >>> is_same_company(frozenset("abcde"), frozenset("abcdexy"))
    False
    """
    return 5 * len(one & other) >= 4 * max(len(one), len(other))
