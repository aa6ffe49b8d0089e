"""What becomes true in every Mafia game.

Source: docs/protocol.md, "Events".
"""

from __future__ import annotations

from typing import Annotated

from games.engine.facts import Fact, Instant, Points, SeatNo, SecretFact
from games.engine.structs import SECRET
from games.mafia.common.rules.ballots import Vote


class CheckedIn(SecretFact, frozen=True):
    """A seat is done with this phase; told to that seat alone."""

    seat: SeatNo


class CheckInWithdrawn(SecretFact, frozen=True):
    """A seat is not done after all; told to that seat alone."""

    seat: SeatNo


class Posted(SecretFact, frozen=True):
    """A seat said something in a room; told to those who read there now.

    ``no`` counts the posts of that room alone.
    """

    seat: SeatNo
    room: str
    no: int
    text: Annotated[str, SECRET]


class NightBegan(Fact, frozen=True):
    """Night fell."""

    round: int
    due_at: Instant


class DayBegan(Fact, frozen=True):
    """Day broke."""

    round: int
    due_at: Instant


class Voted(Fact, frozen=True):
    """A seat has this vote now; null is no opinion."""

    seat: SeatNo
    choice: Vote


class AwardEarned(Fact, frozen=True):
    """A winner earned so many points, and so many on the other axis.

    Whether they are paid is for the house: a game may count for nothing, a day has its limit.
    """

    seat: SeatNo
    points: Points
    y_points: Points
