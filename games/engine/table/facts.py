"""The facts of a table, around any game.
Source: docs/reference/protocol.md, "Events".
"""

from collections.abc import Mapping
from typing import Any

from games.engine.facts import ClockPostponed, Fact, Instant, Points, SeatNo
from games.engine.stakes import PointsFact


class Sat(Fact, frozen=True):
    """Somebody took a seat."""

    seat: SeatNo
    purse: Points
    bot: bool


class PurseChanged(Fact, frozen=True):
    """A seat changed its purse and became unready."""

    seat: SeatNo
    purse: Points


class Stood(Fact, frozen=True):
    """A seat became free, with the reason."""

    seat: SeatNo
    reason: str


class SeatOffered(Fact, frozen=True):
    """A seat in the running game is open to substitutes: its owner may not play on."""

    seat: SeatNo


class SeatTakenOver(Fact, frozen=True):
    """A substitute took over a seat; the previous player is out of the game."""

    seat: SeatNo


class Configured(Fact, frozen=True):
    """Options were changed, by the site where ``seat`` is None; ready seats became unready.
    ``options`` are all of them, ``changed`` the names of the changed ones.
    """

    seat: SeatNo | None
    options_revision: int
    options: Mapping[str, Any]
    changed: tuple[str, ...]
    unready: tuple[SeatNo, ...]


class BecameReady(Fact, frozen=True):
    """A seat is ready to play with the current options."""

    seat: SeatNo


class BecameUnready(Fact, frozen=True):
    """A seat became unready; ``reason``: asked, sat or stood (another opponent), lapsed (two
    minutes after the press), away (the page cannot be seen).
    """

    seat: SeatNo
    reason: str


class RematchCalled(Fact, frozen=True):
    """A seat asked for the next game."""

    seat: SeatNo


class StartScheduled(Fact, frozen=True):
    """The countdown began."""

    start_at: Instant


class StartCancelled(Fact, frozen=True):
    """The countdown stopped."""


class StartMissed(Fact, frozen=True):
    """The appointed instant has come, and fewer seats are ready than the game needs."""

    ready: int
    needed: int


class SaltMissing(Fact, frozen=True):
    """A seat did not reveal its salt in time and became unready."""

    seat: SeatNo


class SaltsDropped(Fact, frozen=True):
    """Revealed salts will not be used: the countdown stopped, and these seats need new ones."""

    seats: tuple[SeatNo, ...]


class SaltsFrozen(Fact, frozen=True):
    """The game starts; its draws use the seed and these salts, in the order of seats."""

    salts: tuple[tuple[SeatNo, str], ...]


class SeatShort(Fact, frozen=True):
    """A purse could not be collected; ``missing`` is in points."""

    seat: SeatNo
    missing: Points


class MatchClosed(Fact, frozen=True):
    """The table closed; no game was played."""

    reason: str


class ClockStalled(Fact, frozen=True):
    """The clock stopped after an outage."""


class ClockResumed(Fact, frozen=True):
    """The clock restarted."""


class BonusPaid(PointsFact, frozen=True):
    """A seat got its win bonus."""


class AwardsPaid(Fact, frozen=True):
    """Seats got their awards: points of both axes, then the withheld points of both axes. Withheld
    points exceed the daily limit of the seat's owner.  ``is_halved``: the same people have been
    paid for a game of that day, so all awards were halved first.
    """

    awards: tuple[tuple[SeatNo, Points, Points, Points, Points], ...]
    daily_limit: Points
    is_halved: bool


class AwardsWithheld(Fact, frozen=True):
    """Seats did not get the awards of the rules; ``reason``: unrated, short, company, bot."""

    seats: tuple[SeatNo, ...]
    reason: str


class SecretsLookedAt(Fact, frozen=True):
    """Somebody looked at secrets while the game ran."""

    name: str
    at: Instant
    reason: str


#: Every fact of a table.
TableFact = (
    Sat | PurseChanged | Stood | SeatOffered | SeatTakenOver | Configured | BecameReady
    | BecameUnready | RematchCalled | StartScheduled | StartCancelled | StartMissed | SaltMissing
    | SaltsDropped | SaltsFrozen | SeatShort | MatchClosed | ClockStalled | ClockResumed
    | ClockPostponed | BonusPaid | AwardsPaid | AwardsWithheld | SecretsLookedAt
)  # fmt: skip
