"""A match at one moment: its state, who sits where, all data for any viewer's view."""

import math
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final

import msgspec

from accounts.models import User
from economy.units import OWNED, Unit
from games.contract import TableGame
from games.engine.facts import Instant, SeatNo
from games.engine.table import Table, TableState
from games.matches.journal.entries import Line
from games.matches.models import Match, Replaced, Seat

NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})


class Sitter(msgspec.Struct, frozen=True):
    """The user of a seat, with what this user owns, gained here, and the day last seen."""

    user_id: int
    name: str
    bot: bool
    avatar: str = ""
    balance: int = 0
    stock: Mapping[str, int] = NOTHING
    seen_on: date | None = None
    rating: int | None = None
    rating_change: int | None = None
    bonus: int = 0
    #: As paid on both axes.
    award: tuple[int, int] = (0, 0)


def sitter_of(seat: Seat, owned: Mapping[Unit, int]) -> Sitter:
    user, stock = seat.user, {name: owned.get(unit, 0) for name, unit in OWNED.items()}
    return Sitter(
        *(user.id, user.username, user.is_bot, user.avatar, owned.get(Unit.POINT, 0), stock),
        *(seat.seen_at.date(), seat.rating, seat.rating_change, seat.bonus),
        (seat.award, seat.y_award),
    )


class Seating(msgspec.Struct, frozen=True, eq=False):
    """The users of the seats; a new one when somebody sits or stands up."""

    users: Mapping[int, int] = NOTHING
    names: Mapping[int, str] = NOTHING
    accounts: Mapping[int, User] = NOTHING
    has_bots: bool = False


def seating_of(seats: Mapping[int, Seat]) -> Seating:
    people = {no: seat.user for no, seat in seats.items()}
    return Seating(
        {no: user.id for no, user in people.items()},
        {no: user.username for no, user in people.items()},
        {user.id: user for user in people.values()},
        any(user.is_bot for user in people.values()),
    )


class News(msgspec.Struct, frozen=True):
    """The seats that alone see a difference to the state after entry ``since``."""

    since: int
    seats: frozenset[int]


class Snapshot(msgspec.Struct, frozen=True, eq=False):
    """The immutable state after an entry. It has every secret and is never sent."""

    #: Its checkpoint may be older than ``state`` and ``lines``.
    match: Match
    game: TableGame
    table: Table
    state: TableState
    seats: Mapping[int, Seat]
    due_at: Instant | None = None
    seating: Seating = Seating()
    lines: tuple[Line, ...] = ()
    #: The sitters with their belongings, read at ``looked_at`` of the monotonic clock.
    sitters: Mapping[int, Sitter] = NOTHING
    looked_at: float = -math.inf
    #: The users who were replaced here, in that order.
    replaced: tuple[Replaced, ...] = ()
    #: The names of challenger and challenged; None for a match without a challenge.
    challenge: tuple[str, str] | None = None
    successor: str | None = None
    #: None: everybody may see a difference to the state before.
    news: News | None = None
    #: Whether its changes of rating are of an old scale.
    is_old_scale: bool = False

    @property
    def no(self) -> int:
        return self.match.action_count

    @property
    def open_seats(self) -> tuple[SeatNo, ...]:
        return self.table.open_seats(self.state)

    @property
    def people(self) -> set[int]:
        invited = {self.match.invited_id} if self.match.invited_id else set()
        replaced = {gone.user_id for gone in self.replaced}
        return invited | replaced | set(self.seating.accounts)

    def seat_of(self, user_id: int | None) -> int | None:
        for seat, sitting in self.seating.users.items():
            if sitting == user_id:
                return seat
        return None
