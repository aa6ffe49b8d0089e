"""The users on a match's seats, with their belongings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from economy.units import OWNED, Unit
from games.matches.models import Seat


@dataclass(frozen=True, slots=True)
class Sitter:
    """The user on a seat, with the points and weapons (by name) owned, and the day last seen.

    ``rating`` and ``rating_change`` are in rating points, ``bonus`` in points, ``award`` in points
    of either axis, as paid.
    """

    user_id: int
    name: str
    bot: bool
    balance: int = 0
    stock: Mapping[str, int] = field(default_factory=dict)
    seen_on: date | None = None
    rating: int | None = None
    rating_change: int | None = None
    bonus: int = 0
    award: tuple[int, int] = (0, 0)


def sitter_of(seat: Seat, owned: Mapping[Unit, int]) -> Sitter:
    """Return the user on a seat, with the belongings."""
    user = seat.user
    return Sitter(
        user.pk,
        user.username,
        user.is_bot,
        owned.get(Unit.POINT, 0),
        {name: owned.get(unit, 0) for name, unit in OWNED.items()},
        seat.seen_at.date(),
        seat.rating,
        seat.rating_change,
        seat.bonus,
        (seat.award, seat.y_award),
    )
