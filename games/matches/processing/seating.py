"""Seats at a table: whose count, who is there, and which programs may stay.
Source: docs/rules/duel.md "Seats and setup"; docs/explanation/security.md "Kept seats".
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from msgspec import UNSET

from accounts.models import User
from economy.sql import USERS, Compiled
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, as_datetime
from games.engine.table import TableState
from games.engine.table.actions import SEATING_KINDS
from games.engine.table.state import CONSENT_LIMIT, TableSeat, is_quick
from games.matches.journal.loading import standing
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.submissions import OnlyHere, Submission
from games.matches.queries import selectors
from games.matches.queries.ratings import is_rated
from games.matches.queries.selectors import read_summary

#: The kinds of actions by which a user may come to count as seated.
CONSENTING: Final = SEATING_KINDS | {"ready", "rematch"}
#: Milliseconds for which a press shows that one is there, as a heartbeat of a visible page does.
PRESSED: Final = 10_000


class NoPrograms(OnlyHere, IllegalAction):
    """The game would be rated between a program and a person who does not allow that."""

    code = "action/no_programs"


def consents(locked: LockedMatch, submission: Submission) -> bool:
    """Whether an action, one of ``CONSENTING``, makes a user count as seated here."""
    kind, seat = submission.action.get("kind"), locked.seat_of(submission.actor_id)
    if seat is None:
        return kind in SEATING_KINDS
    if kind == "rematch":
        return locked.state.is_finished and locked.match.successor_id is None
    return _is_kept(locked.state, seat)


def has_seats(user_id: int, count: int) -> bool:
    """Whether a user sits at ``count`` live tables; kept seats and dead players do not count."""
    seats = dict(_LIVE.rows(users=[user_id]))
    if len(seats) < count:
        return False
    # Summaries and states, which tell who is dead and what is kept, are read only where it matters.
    summaries = Match.objects.filter(pk__in=seats).values_list("pk", "summary")
    sitting = {pk for pk, text in summaries if seats[pk] not in read_summary(text).get("dead", ())}
    return len(sitting) >= count and len(sitting - _kept_for(user_id, sitting)) >= count


_LIVE: Final = Compiled(
    lambda: Seat.objects.filter(
        user__in=USERS, match__status__in=Match.LIVE, has_left=False
    ).values_list("match_id", "no")
)


def _is_kept(state: TableState[Any], seat: int) -> bool:
    return state.kept_until is not None and not state.seats[seat].ready


def _kept_for(user_id: int, match_ids: Iterable[int]) -> set[int]:
    return {
        match_id
        for match_id, cached in standing(match_ids).items()
        for seat in cached.seats.values()
        if seat.user_id == user_id and _is_kept(cached.state, seat.no)
    }


def absent(tables: Mapping[int, TableState[Any]], at: Instant) -> dict[int, list[SeatNo]]:
    """Return the ready seats of quick tables, by match, whose people are not there."""
    asking = {
        match_id: seats
        for match_id, state in tables.items()
        if is_quick(state.options)
        and (seats := [s.no for s in state.people if s.ready and not _has_just_pressed(s, at)])
    }
    seen = selectors.there(asking, as_datetime(at)) if asking else {}
    return {
        match_id: [seat for seat in seats if seat not in seen.get(match_id, ())]
        for match_id, seats in asking.items()
    }


def _has_just_pressed(seat: TableSeat, at: Instant) -> bool:
    return seat.ready_until is not UNSET and at < seat.ready_until - CONSENT_LIMIT + PRESSED


def unwanted_programs(users: Collection[User]) -> set[int]:
    """Return the programs here, if one of the people plays no rated games with them."""
    programs = {user.id for user in users if user.is_program}
    people = {user.id for user in users} - programs
    # The choice of each person is read again: a cached user may be old.
    if programs and User.objects.filter(pk__in=people, rates_programs=False).exists():
        return programs
    return set()


def unwanted_seats(locked: LockedMatch) -> list[int]:
    """Return the seats of programs that may not stay at a table, because it is rated."""
    programs = unwanted_programs(locked.seating.accounts.values())
    if not programs or not is_rated(locked.game, locked.state):
        return []
    return [no for no, seat in sorted(locked.seats.items()) if seat.user_id in programs]


def require_wanted(locked: LockedMatch, user: User) -> None:
    """Refuse a program the seat at a rated table; raises NoPrograms."""
    company = [user, *locked.seating.accounts.values()]
    is_rated_here = user.is_program and is_rated(locked.game, locked.state)
    if is_rated_here and unwanted_programs(company):
        raise NoPrograms("somebody here plays no rated games with programs")
