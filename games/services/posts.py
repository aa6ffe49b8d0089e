"""Chat at a table: said once, numbered, read by whoever may read the room."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from games.kernel.errors import IllegalAction
from games.kernel.facts import instant, iso
from games.models import Match, Post, Seat
from games.reading import selectors


class RoomForbidden(IllegalAction):
    """This user may not speak in that room."""

    code: ClassVar[str] = "forbidden"


def say(*, match_id: int, user_id: int, room: str, text: str, action_id: str) -> dict[str, Any]:
    """Store a line of chat and return it as it goes over the wire.

    A repeated ``action_id`` returns the line as it was said the first time.

    Raises:
        RoomForbidden: the table's chat is for its sitters, the onlookers' for onlookers.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        earlier = Post.objects.filter(match=match, user_id=user_id, action_id=action_id).first()
        if earlier is not None:
            return line(earlier)
        seat = Seat.objects.filter(match=match, user_id=user_id).values_list("no", flat=True)
        seat_no = seat.first()
        _require_room(room, seat_no)
        match.last_post += 1
        match.save(update_fields=["last_post"])
        post = Post.objects.create(
            match=match,
            no=match.last_post,
            user_id=user_id,
            seat=seat_no,
            room=room,
            text=text,
            action_id=action_id,
            at=timezone.now(),
        )
    return line(post)


def lines(match_id: int, after: int = 0) -> list[dict[str, Any]]:
    """Return the chat after a number as it goes over the wire, the last 50 lines at most."""
    return [line(post) for post in selectors.posts(match_id, after=after)]


def line(post: Post) -> dict[str, Any]:
    """Return one line of chat as it goes over the wire."""
    return {
        "room": post.room,
        "no": post.no,
        "name": post.user.username,
        "seat": post.seat,
        "text": post.text,
        "at": iso(instant(post.at)),
    }


def _require_room(room: str, seat: int | None) -> None:
    if (room == Post.Room.TABLE) != (seat is not None):
        raise RoomForbidden("sitters talk at the table, onlookers among themselves")
