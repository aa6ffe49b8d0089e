"""What becomes true at a table, around any game.

Source: docs/protocol.md, "Events".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.facts import ClockPostponed, Fact, Instant, Points, SeatNo


class Sat(Fact, frozen=True):
    """Somebody took a seat."""

    seat: SeatNo
    purse: Points
    bot: bool


class PurseChanged(Fact, frozen=True):
    """Somebody will bring another purse, and has to get ready for it."""

    seat: SeatNo
    purse: Points


class Stood(Fact, frozen=True):
    """A seat fell free; ``reason`` says why."""

    seat: SeatNo
    reason: str


class SeatOffered(Fact, frozen=True):
    """Somebody else may take over a seat in the running game: its owner may not play on."""

    seat: SeatNo


class SeatTakenOver(Fact, frozen=True):
    """Somebody else plays a seat from here on, and who had it before plays no more."""

    seat: SeatNo


class Configured(Fact, frozen=True):
    """Options were changed, and those who were ready are so no longer.

    ``options`` are all of them, ``changed`` the names of those that are new.
    """

    seat: SeatNo
    options_revision: int
    options: Mapping[str, Any]
    changed: tuple[str, ...]
    unready: tuple[SeatNo, ...]


class BecameReady(Fact, frozen=True):
    """Somebody wants to play with the options as they stand."""

    seat: SeatNo


class BecameUnready(Fact, frozen=True):
    """Somebody is ready no longer; ``reason``: asked, or who sits opposite has changed."""

    seat: SeatNo
    reason: str


class RematchCalled(Fact, frozen=True):
    """Somebody asked for the next game."""

    seat: SeatNo


class StartScheduled(Fact, frozen=True):
    """The countdown runs."""

    start_at: Instant


class StartCancelled(Fact, frozen=True):
    """The countdown was stopped."""


class SeatShort(Fact, frozen=True):
    """A purse could not be collected: so many points are missing."""

    seat: SeatNo
    missing: Points


class MatchClosed(Fact, frozen=True):
    """The table is gone; no game was played."""

    reason: str


class ClockStalled(Fact, frozen=True):
    """The clock stands still after an outage."""


class ClockResumed(Fact, frozen=True):
    """The clock runs again."""


class BonusPaid(Fact, frozen=True):
    """A seat got its win bonus."""

    seat: SeatNo
    amount: Points


class AwardsPaid(Fact, frozen=True):
    """Seats got their awards: points, points of the other axis, points that were kept back.

    The last are what was over the day's limit of one of them.
    """

    awards: tuple[tuple[SeatNo, Points, Points, Points], ...]
    daily_limit: Points


class AwardsWithheld(Fact, frozen=True):
    """Seats got nothing of what the rules award them; ``reason``: unrated, bot."""

    seats: tuple[SeatNo, ...]
    reason: str


class SecretsLookedAt(Fact, frozen=True):
    """Somebody had looked at what was hidden while the game ran."""

    name: str
    at: Instant
    reason: str


#: Every fact of a table.
TableFact = (
    Sat
    | PurseChanged
    | Stood
    | SeatOffered
    | SeatTakenOver
    | Configured
    | BecameReady
    | BecameUnready
    | RematchCalled
    | StartScheduled
    | StartCancelled
    | SeatShort
    | MatchClosed
    | ClockStalled
    | ClockResumed
    | ClockPostponed
    | BonusPaid
    | AwardsPaid
    | AwardsWithheld
    | SecretsLookedAt
)
