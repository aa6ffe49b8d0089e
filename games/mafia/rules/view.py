"""Parts of a view that every Mafia game has.

Source: docs/agora.md "The view".
"""

from __future__ import annotations

from typing import TypedDict

from games.mafia.rules.gathering import Gathering
from games.mafia.rules.roster import Member


class RoomView(TypedDict):
    """A room that one reads: how many posts, and whether one may post there now."""

    room: str
    lines: int
    may_post: bool


def rooms_of(state: Gathering, own: Member) -> list[RoomView]:
    """Return the rooms that a member reads."""
    talk = state.talk
    open_now = talk.open_to(own)
    return [
        {"room": room, "lines": lines, "may_post": room in open_now}
        for room, lines in talk.readable(own).items()
    ]
