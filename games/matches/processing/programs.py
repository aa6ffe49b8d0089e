"""Programs at rated tables: they play there with programs, and with people who allow it.
Source: docs/reference/json-rpc.md "Program accounts".
"""

from collections.abc import Collection
from typing import ClassVar

from accounts.models import User
from games.engine.errors import IllegalAction
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.submissions import OnlyHere
from games.matches.queries.ratings import is_rated


class NoPrograms(OnlyHere, IllegalAction):
    """The game would be rated between a program and a person who does not allow that."""

    code: ClassVar[str] = "action/no_programs"


def unwanted_programs(users: Collection[User]) -> set[int]:
    """Return the programs among these users, if one of the people plays no rated games with them.
    No query where there is no program.  The choice of each person is read from the database: a
    cached user may be old.
    """
    programs = {user.pk for user in users if user.is_program}
    people = {user.pk for user in users} - programs
    if programs and User.objects.filter(pk__in=people, rates_programs=False).exists():
        return programs
    return set()


def unwanted_seats(locked: LockedMatch) -> list[int]:
    """Return the seats of programs that may not stay at a table, because its game is rated."""
    programs = unwanted_programs([seat.user for seat in locked.seats.values()])
    if not programs or not is_rated(locked.game, locked.state):
        return []
    return [no for no, seat in sorted(locked.seats.items()) if seat.user_id in programs]


def require_wanted(locked: LockedMatch, user: User) -> None:
    """Refuse a program the seat at a rated table of people who do not allow it; raises NoPrograms.
    A person is never refused: the programs stand up.
    """
    if user.is_program and is_rated(locked.game, locked.state):
        company = [user, *(seat.user for seat in locked.seats.values())]
        if unwanted_programs(company):
            raise NoPrograms("somebody here plays no rated games with programs")
