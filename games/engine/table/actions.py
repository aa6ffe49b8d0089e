"""The table's actions: of people, and of the house.
Source: docs/reference/protocol.md, "Actions".
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from games.engine.facts import Instant, Points, SeatNo
from games.engine.structs import LARGEST, SECRET, Kinded, Reader, SeatGiven, kind_of

#: The requested purse; the table checks its limits.
Purse = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Due = Annotated[Instant, Meta(ge=0, le=LARGEST)]
#: 32 bytes in hex: a salt, or its hash.
Hex = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", examples=["5a" * 32])]
#: Pairs of a seat and an amount of points.
Amounts = tuple[tuple[SeatNo, Points], ...]
#: A seat, its points on both axes, and the first axis's points withheld by the daily limit.
Awarded = tuple[SeatNo, Points, Points, Points, Points]


class Sit(Kinded, frozen=True):
    """Take a seat, or the first free one."""

    seat: SeatGiven | UnsetType = UNSET
    #: Optional if the table's limits allow only one.
    purse: Purse | UnsetType = UNSET


class Bring(Kinded, frozen=True):
    """Change the purse of the own seat."""

    purse: Purse


class Configure(Kinded, frozen=True):
    """Change options."""

    #: On the wire and in the journal they stand beside ``kind``; checked with the other options.
    changes: Mapping[str, Any]


class Stand(Kinded, frozen=True):
    """Give the seat up before the start."""


class Leave(Kinded, frozen=True):
    """Give the seat up, or walk out of the running game."""


class TakeOver(Kinded, frozen=True):
    """Take over an open seat in the running game, with all its private knowledge."""

    seat: SeatGiven


class Ready(Kinded, frozen=True):
    """Get ready for the options with this revision."""

    configuration: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
    #: Adds to the chance of the game: the salt is revealed before the start.
    salt_hash: Hex | UnsetType = UNSET
    #: The seat's purse from now on, as by ``bring``.
    purse: Purse | UnsetType = UNSET


class Reveal(Kinded, frozen=True):
    """Reveal the salt whose hash came with readiness."""

    salt: Annotated[Hex, SECRET]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Unready(Kinded, frozen=True):
    """Withdraw the readiness."""


class RemoveBot(Kinded, frozen=True):
    """Remove the bot on a seat."""

    seat: Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]


class Rematch(Kinded, frozen=True):
    """Ask for the next game at the table, in which the caller is ready."""

    salt_hash: Hex | UnsetType = UNSET


class PlayOut(Kinded, frozen=True):
    """Play the rest of the running game in seconds, when people have no part in it any more."""


class SitBot(Kinded, frozen=True):
    """Seat a bot that was asked for."""

    seat: SeatGiven
    purse: Purse


class Begin(Kinded, frozen=True):
    """Begin the game at once at a table whose seats are all taken and ready."""


class Start(Kinded, frozen=True):
    """Start the game: the purses have been collected. The seed is the match's; the journal stores
    the action without it.  ``warned``: the seats that did not come to their last game; left out
    where there is none.
    """

    seed: Annotated[str, SECRET]
    warned: tuple[SeatNo, ...] | UnsetType = UNSET

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Await(Kinded, frozen=True):
    """Start at this instant, not now: the opening is not in the public log yet."""

    due_at: Due


class AskSalts(Kinded, frozen=True):
    """Ask for the salts: the opening is in the public log."""


class Ask(Kinded, frozen=True):
    """Make seats unready whose people are not there: they must press again."""

    seats: tuple[SeatNo, ...]


class Terms(Kinded, frozen=True):
    """Set what a quick table waits for: its label, and options for which all at it have pressed."""

    mark: str
    options: Mapping[str, Any]


class Short(Kinded, frozen=True):
    """Make seats unready whose purses could not be collected: the missing points of each."""

    seats: Amounts


class Free(Kinded, frozen=True):
    """Free seats whose sockets are gone, or whose people or bots may not play here."""

    seats: tuple[SeatNo, ...]
    reason: str


class Expel(Kinded, frozen=True):
    """Remove a seat's owner from the running game: offer the seat to others, or let it leave."""

    seat: SeatNo


class Stall(Kinded, frozen=True):
    """Stop the clock after an outage."""

    due_at: Due


class Resume(Kinded, frozen=True):
    """Restart the clock, with time to come back."""

    due_at: Due


class Postpone(Kinded, frozen=True):
    """Postpone all deadlines: nothing is due before this instant."""

    due_at: Due


class Bonus(Kinded, frozen=True):
    """Record the win bonuses that were paid."""

    seats: Amounts


class Award(Kinded, frozen=True):
    """Record the awards that were paid, and the seats that got none, with the reason. ``paid``:
    seat, points of both axes, points of both axes that the daily limit withheld. ``is_halved``: all
    awards of the game are halved first.
    """

    paid: tuple[Awarded, ...]
    daily_limit: Points
    is_halved: bool
    withheld: tuple[SeatNo, ...]
    reason: str


class Looked(Kinded, frozen=True):
    """Record who looked at secrets: the name, the instant and the reason."""

    looks: tuple[tuple[str, Instant, str], ...]


class Void(Kinded, frozen=True):
    """Void the match and return all points."""

    reason: str


class Close(Kinded, frozen=True):
    """Close a table at which no game has begun."""

    reason: str


class Deadline(Kinded, frozen=True):
    """Apply a deadline that has passed."""


PersonAction = (
    Sit | TakeOver | Bring | Stand | Leave | Ready | Reveal | Unready | RemoveBot | Rematch
    | PlayOut
)  # fmt: skip
HouseAction = (
    SitBot | Begin | Start | Await | AskSalts | Ask | Terms | Short | Free | Expel | Stall
    | Resume | Postpone | Bonus | Award | Looked | Void | Close | Deadline
)  # fmt: skip

CONFIGURE: Final = kind_of(Configure)
#: The kinds of actions that give a user a seat.
SEATING_KINDS: Final = frozenset(map(kind_of, (Sit, TakeOver)))
#: The kinds of the table's actions of people, and those of the house.
PERSON_KINDS: Final = frozenset({*map(kind_of, PersonAction.__args__), CONFIGURE})
HOUSE_KINDS: Final = frozenset(map(kind_of, HouseAction.__args__))

PERSON: Final[Reader[PersonAction]] = Reader(PersonAction)
HOUSE: Final[Reader[HouseAction]] = Reader(HouseAction)
