"""The actions of a seat that all Mafia games have, and their refusals.
Source: docs/reference/protocol.md, "Actions", "Errors".
"""

from typing import Annotated, Final

from msgspec import Meta

from games.engine.structs import SECRET, Hidden, Kinded

#: The most characters of a post.
LONGEST_POST = 4_000
#: The most characters of a last will; it always fits a frame of a socket.
LONGEST_WILL = 1_000

Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_POST)]
RoomName = Annotated[str, Meta(min_length=1, max_length=20)]


class Done(Kinded, frozen=True):
    """Check in: the phase need not wait for this seat."""


class Undone(Kinded, frozen=True):
    """Withdraw the check-in."""


class Post(Hidden, Kinded, frozen=True):
    """Post in a room."""

    room: RoomName
    text: Annotated[Text, SECRET]


class WriteWill(Hidden, Kinded, frozen=True):
    """Write the last will, which is posted when the seat dies; an empty text withdraws it."""

    text: Annotated[str, Meta(max_length=LONGEST_WILL), SECRET]


class Leave(Kinded, frozen=True):
    """Leave the town for good."""


#: Refusals of all Mafia games that no code catches: code -> its meaning.
REFUSALS: Final = {
    "action/not_alive": "Only the living do that",
    "action/room_closed": "The seat may not post in this room now; the refusal does not tell if the"
    " room exists",
    "action/blank_post": "A post says something",
    "action/no_wills": "The table does not play with last wills",
}
