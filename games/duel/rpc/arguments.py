"""What each method takes, as structs: read from a call, and told in the OpenRPC document.

The order of the fields is that of parameters by position.  Bounds are those of the types alone:
what the rules of a duel do not allow is theirs to refuse.

Source: docs/json-rpc.md "Methods".
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from games.engine.structs import Whole
from games.jsonrpc.parameters import INTEGER, Move, Nothing, PublicId, Switch

Seat = Annotated[Literal[0, 1], INTEGER]


class Sit(Move, frozen=True):
    """Which seat to take."""

    seat: Annotated[Seat, Meta(description="the seat's number")] | UnsetType = UNSET


class NoTies(Move, frozen=True):
    """Whether matched throws are thrown again."""

    value: Annotated[Switch, Meta(description="1 or 0")]


class BestOf(Move, frozen=True):
    """How many throws at most."""

    throws: Annotated[Whole, Meta(description="a positive odd number, at most 99")]


class Ready(Move, frozen=True):
    """For which configuration."""

    configuration: Annotated[Whole, Meta(description="the revision that was seen")] | UnsetType = (
        UNSET
    )


class ChooseHand(Move, frozen=True):
    """Which hand to throw."""

    hand: Annotated[
        str, Meta(description="rock, paper or scissors; what follows the letter is ignored")
    ]


class ClockSeconds(Move, frozen=True):
    """How long a throw may take."""

    seconds: Annotated[Whole, Meta(description="5 to 86400")]


class Stake(Move, frozen=True):
    """What each player puts in."""

    points: Annotated[Whole, Meta(description="0 for none")]


class OpenDuel(Nothing, frozen=True):
    """The options of a new duel."""

    best_of: (
        Annotated[Whole, Meta(description="an odd number of throws, at most 99")] | UnsetType
    ) = UNSET
    no_ties: (
        Annotated[Switch, Meta(description="1: matched throws are thrown again")] | UnsetType
    ) = UNSET
    clock_seconds: Annotated[Whole, Meta(description="seconds a throw")] | UnsetType = UNSET
    stake: Annotated[Whole, Meta(description="points of each player")] | UnsetType = UNSET
    rated: Annotated[bool, Meta(description="whether it counts for the rating")] | UnsetType = UNSET
    listed: Annotated[bool, Meta(description="whether it stands in the list")] | UnsetType = UNSET
    spectators: Annotated[bool, Meta(description="whether others may look on")] | UnsetType = UNSET


class JoinDuel(Move, frozen=True):
    """Which duel to join."""

    public_id: Annotated[PublicId, Meta(description="the duel's public name")]
