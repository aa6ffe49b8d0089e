"""The actions of a seat that all Mafia games have.

Source: docs/protocol.md, "Actions".
"""

from typing import Annotated

from msgspec import Meta

from games.engine.structs import SECRET, Kinded

#: The most characters of a post.
LONGEST_POST = 4_000

Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_POST)]
RoomName = Annotated[str, Meta(min_length=1, max_length=20)]


class Done(Kinded, frozen=True):
    """Check in: the phase need not wait for this seat."""


class Undone(Kinded, frozen=True):
    """Withdraw the check-in."""


class Post(Kinded, frozen=True):
    """Post in a room."""

    room: RoomName
    text: Annotated[Text, SECRET]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Leave(Kinded, frozen=True):
    """Leave the town for good."""
