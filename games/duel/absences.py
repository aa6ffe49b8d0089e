"""Absences from quick duels: a missed first throw is forgiven once in a row.
Source: docs/rules/duel.md "The clock".
"""

from collections.abc import Mapping

from games.duel import SLUG
from games.duel.pairing import MARK
from games.matches.models import Match, Seat, of_match
from games.matches.queries.selectors import read_summary


def missed_last(people: Mapping[int, int]) -> list[int]:
    """Return the seats whose users missed the first throw of their last quick duel. ``people``: the
    users by seat.
    """
    return [no for no, user_id in people.items() if _missed_last(user_id)]


def _missed_last(user_id: int) -> bool:
    is_played = of_match(game=SLUG, mark=MARK, status=Match.Status.OVER)
    played = Seat.objects.filter(is_played, user=user_id).order_by("-match")
    last = played.values_list("no", "match__summary").first()
    return last is not None and last[0] in read_summary(last[1]).get("missed", ())
