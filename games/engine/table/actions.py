"""What people ask of a table, and what the house tells it.

Source: docs/protocol.md, "Actions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from games.engine.facts import Instant, Points, SeatNo
from games.engine.structs import LARGEST, SECRET, Kinded, Reader, SeatGiven, kind_of

#: What somebody wants to bring; whether one may is the table's to say.
Purse = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Due = Annotated[Instant, Meta(ge=0, le=LARGEST)]
#: A seat and an amount of points.
Amounts = tuple[tuple[SeatNo, Points], ...]
#: A seat, its points on either axis, and those of the first that a day's limit kept back.
Awarded = tuple[SeatNo, Points, Points, Points]


class Sit(Kinded, frozen=True):
    """Take a seat, or the first free one.

    Where there is only one purse to sit down with, it need not be named.
    """

    seat: SeatGiven | UnsetType = UNSET
    purse: Purse | UnsetType = UNSET


class Bring(Kinded, frozen=True):
    """Bring another purse than the one that one sat down with."""

    purse: Purse


class Configure(Kinded, frozen=True):
    """Change options.

    As they come and as they are kept, the options stand beside ``kind``; they are checked when
    they meet the others.
    """

    changes: Mapping[str, Any]


class Stand(Kinded, frozen=True):
    """Give the seat up before the start."""


class Leave(Kinded, frozen=True):
    """Give the seat up, or walk out of the running game."""


class TakeOver(Kinded, frozen=True):
    """Take over an open seat in the running game, with all that it knows."""

    seat: SeatGiven


class Ready(Kinded, frozen=True):
    """Get ready for the options that have this number."""

    configuration: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]


class Unready(Kinded, frozen=True):
    """Be ready no longer."""


class RemoveBot(Kinded, frozen=True):
    """Send the bot on a seat away."""

    seat: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]


class Rematch(Kinded, frozen=True):
    """Ask for the next game at the table."""


class SitBot(Kinded, frozen=True):
    """Seat a bot that was asked for."""

    seat: SeatGiven
    purse: Purse


class Begin(Kinded, frozen=True):
    """Let the game begin at once at a table where everybody was seated and is ready."""


class Start(Kinded, frozen=True):
    """Start the game: the purses have been collected.

    The seed is the match's; in the log the action stands without it.
    """

    seed: Annotated[str, SECRET]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Short(Kinded, frozen=True):
    """Make those unready whose purses could not be collected: how many points each lacks."""

    seats: Amounts


class Free(Kinded, frozen=True):
    """Free seats whose sockets are gone, or whose people or bots do not play here."""

    seats: tuple[SeatNo, ...]
    reason: str


class Expel(Kinded, frozen=True):
    """Take a seat's owner out of the running game: another may take over, or the seat leaves."""

    seat: SeatNo


class Stall(Kinded, frozen=True):
    """Let the clock stand still after an outage."""

    due_at: Due


class Resume(Kinded, frozen=True):
    """Let the clock run again, with time to come back."""

    due_at: Due


class Postpone(Kinded, frozen=True):
    """Give time back: nothing is due before this instant."""

    due_at: Due


class Bonus(Kinded, frozen=True):
    """Note the win bonuses that were paid."""

    seats: Amounts


class Award(Kinded, frozen=True):
    """Note the awards that were paid, and who got nothing, and why.

    ``paid``: seat, points, points of the other axis, points that the day's limit kept back.
    """

    paid: tuple[Awarded, ...]
    daily_limit: Points
    withheld: tuple[SeatNo, ...]
    reason: str


class Looked(Kinded, frozen=True):
    """Tell who had looked at what was hidden: the name, when, and why."""

    looks: tuple[tuple[str, Instant, str], ...]


class Void(Kinded, frozen=True):
    """End the match and give everything back."""

    reason: str


class Close(Kinded, frozen=True):
    """Close a table at which no game has begun."""

    reason: str


class Deadline(Kinded, frozen=True):
    """Let the clock act, whose time has come."""


PersonAction = Sit | TakeOver | Bring | Stand | Leave | Ready | Unready | RemoveBot | Rematch
HouseAction = (
    SitBot
    | Begin
    | Start
    | Short
    | Free
    | Expel
    | Stall
    | Resume
    | Postpone
    | Bonus
    | Award
    | Looked
    | Void
    | Close
    | Deadline
)

CONFIGURE: Final = kind_of(Configure)
#: With these somebody gets a seat.
SEATING_KINDS: Final = frozenset(map(kind_of, (Sit, TakeOver)))
#: The names of what people may ask of a table, and of what only the house may.
PERSON_KINDS: Final = frozenset({*map(kind_of, PersonAction.__args__), CONFIGURE})
HOUSE_KINDS: Final = frozenset(map(kind_of, HouseAction.__args__))

PERSON: Final[Reader[PersonAction]] = Reader(PersonAction)
HOUSE: Final[Reader[HouseAction]] = Reader(HouseAction)
