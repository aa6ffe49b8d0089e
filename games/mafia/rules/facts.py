"""What becomes true in every Mafia game.

Source: docs/protocol.md, "Events".
"""

from __future__ import annotations

from typing import Annotated

from games.kernel.facts import SeatNo, SecretFact
from games.kernel.structs import SECRET


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
