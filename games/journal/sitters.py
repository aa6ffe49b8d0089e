"""Who sits at a match, with what they own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from economy.units import OWNED, Unit
from games.models import Seat


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat, what that user owns (points, and weapons by name), the day last seen."""

    user_id: int
    name: str
    bot: bool
    balance: int = 0
    stock: Mapping[str, int] = field(default_factory=dict)
    seen_on: date | None = None


def sitter_of(seat: Seat, owned: Mapping[Unit, int]) -> Sitter:
    """Return who sits on a seat, with what that user owns."""
    user = seat.user
    stock = {name: owned.get(unit, 0) for name, unit in OWNED.items()}
    balance = owned.get(Unit.POINT, 0)
    return Sitter(user.pk, user.username, user.is_bot, balance, stock, seat.seen_at.date())
