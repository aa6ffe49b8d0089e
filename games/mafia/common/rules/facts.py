"""The facts that all Mafia games have.
Source: docs/reference/protocol.md, "Events".
"""

from typing import Annotated

from msgspec import UNSET, UnsetType

from games.engine.facts import ClockPostponed, Fact, Instant, Points, SeatNo, SecretFact
from games.engine.structs import SECRET
from games.mafia.common.rules.roster import Vote


class CheckedIn(SecretFact, frozen=True):
    """A seat checked in for this phase; told to that seat alone."""

    seat: SeatNo


class CheckInWithdrawn(SecretFact, frozen=True):
    """A seat withdrew its check-in; told to that seat alone."""

    seat: SeatNo


class Posted(SecretFact, frozen=True):
    """A seat posted in a room; told to its current readers. ``no`` counts the posts of that room
    alone.  ``is_will``: it is the last will of a seat that died; left out of other posts.
    """

    seat: SeatNo
    room: str
    no: int
    text: Annotated[str, SECRET]
    is_will: bool | UnsetType = UNSET


class WillWritten(SecretFact, frozen=True):
    """A seat wrote or withdrew its last will; told to that seat alone, without the text."""

    seat: SeatNo


class NightBegan(Fact, frozen=True):
    """A night began."""

    round: int
    due_at: Instant


class DayBegan(Fact, frozen=True):
    """A day began."""

    round: int
    due_at: Instant


class PlayedOut(Fact, frozen=True):
    """Only bots live, and somebody asked for the end: each phase takes seconds from now on."""

    due_at: Instant


class Voted(Fact, frozen=True):
    """A seat's vote changed; null is no opinion."""

    seat: SeatNo
    choice: Vote


class AwardEarned(Fact, frozen=True):
    """A winner earned ``points`` on one axis and ``y_points`` on the other. The house decides about
    payment: a game may count for nothing, and a day has a limit.
    """

    seat: SeatNo
    points: Points
    y_points: Points


#: The facts of every Mafia game; a game adds its own.
TownFact = (
    NightBegan | DayBegan | CheckedIn | CheckInWithdrawn | Posted | WillWritten | Voted
    | AwardEarned | PlayedOut | ClockPostponed
)  # fmt: skip
