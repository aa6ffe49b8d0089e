"""Posts, and who is noticed to be there.

Source: docs/rules/agora.md "Secret information".
"""

from __future__ import annotations

from games.agora.rules.state import AgoraState, Citizen, with_citizen
from games.kernel.facts import Instant, Step, Told
from games.kernel.structs import replace
from games.mafia.rules.actions import Post
from games.mafia.rules.errors import BlankPost, RoomClosed
from games.mafia.rules.facts import Posted
from games.mafia.rules.rooms import lines_in, with_line


def post(state: AgoraState, own: Citizen, action: Post, at: Instant) -> Step[AgoraState]:
    """Say something in a room; told to those who read there now.

    Raises:
        RoomClosed: the seat may not post there now, if there is such a room at all.
        BlankPost: the text says nothing.
    """
    talk = state.talk
    if action.room not in talk.open_to(own):
        raise RoomClosed("you cannot post there now")
    if not action.text.strip():
        raise BlankPost("a post says something")
    said = Posted(own.no, action.room, lines_in(state.rooms, action.room) + 1, action.text)
    rooms = with_line(state.rooms, action.room)
    return Step(replace(state, rooms=rooms), (Told(said, talk.audience(action.room)),))


def noticed(state: AgoraState, own: Citizen) -> AgoraState:
    """Note that a citizen has done something in this phase, which a post is not."""
    return with_citizen(state, replace(own, is_active=True))
