"""Seats that the next game at a table keeps, and when they begin to count.
Source: docs/explanation/security.md "Kept seats".
"""

from collections.abc import Iterable
from typing import Any, Final

from games.engine.table import TableState
from games.engine.table.actions import SEATING_KINDS
from games.matches.journal.loading import standing
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.submissions import Submission
from games.matches.queries.selectors import read_summary

#: The kinds of actions by which a user may come to count as seated.
CONSENTING: Final = SEATING_KINDS | {"ready", "rematch"}


def consents(locked: LockedMatch, submission: Submission) -> bool:
    """Whether an action, one of ``CONSENTING``, makes a user count as seated here. The next game at
    a table keeps everybody's seat for 60 s: a user who is not ready by then never joined it, and a
    kept seat must not bar the user from other tables.
    """
    kind, seat = submission.action.get("kind"), locked.seat_of(submission.actor_id)
    if seat is None:
        return kind in SEATING_KINDS
    if kind == "rematch":
        return locked.state.is_finished and locked.match.successor_id is None
    return _is_kept(locked.state, seat)


def has_seats(user_id: int, count: int) -> bool:
    """Whether a user sits at ``count`` live tables or more. A seat that is only kept does not
    count, nor that of a player who is dead or has left.
    """
    live = Seat.objects.filter(user=user_id, match__status__in=Match.LIVE, has_left=False)
    seats = dict(live.values_list("match_id", "no"))
    if len(seats) < count:
        return False
    # Summaries and states, which tell who is dead and what is kept, are read only where it matters.
    summaries = Match.objects.filter(pk__in=seats).values_list("pk", "summary")
    sitting = {pk for pk, text in summaries if seats[pk] not in read_summary(text).get("dead", ())}
    return len(sitting) >= count and len(sitting - _kept_for(user_id, sitting)) >= count


def _is_kept(state: TableState[Any], seat: int) -> bool:
    return state.kept_until is not None and not state.seats[seat].ready


def _kept_for(user_id: int, match_ids: Iterable[int]) -> set[int]:
    """Return the matches that only keep a seat for a user."""
    return {
        match_id
        for match_id, cached in standing(match_ids).items()
        for seat in cached.seats.values()
        if seat.user_id == user_id and _is_kept(cached.state, seat.no)
    }
