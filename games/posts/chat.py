"""Chat at a table: each line is stored once, numbered in its room, and readable per room."""

from collections.abc import Collection, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import BigIntegerField, CharField, DateTimeField, OuterRef, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from accounts.people import unheard_by
from economy.sql import USERS, BulkRows, Compiled, Given, read_rows
from games import registry
from games.engine.errors import refuse
from games.engine.facts import SeatNo, Viewer, instant, iso
from games.engine.protocols import Room
from games.matches.journal.loading import known_at, standing_of
from games.matches.models import Match, Mute, Post, Replaced, Seat
from games.matches.queries import selectors


class Line(NamedTuple):
    """A line of chat: its serial in the match, never sent, and its wire form. ``no`` counts the
    lines of its room alone, so that a gap reveals nothing of another. ``unheard_by`` have muted its
    author or are blocked.
    """

    serial: int
    room: str
    no: int
    wire: Mapping[str, Any]
    unheard_by: Collection[int] = ()


def require_voice(user_id: int, at: datetime | None = None) -> None:
    """Refuse a muted user, or one with an unread message; raises ``muted``, ``message_unread``."""
    at = at or timezone.now()
    [(until, warned_at)] = _VOICE.rows(users=[user_id], at=at)
    if warned_at is not None:
        refuse("message_unread", "read the message of the moderators first: it is on every page")
    if until is not None:
        seconds = -int(-(until - at).total_seconds() // 1)
        refuse("muted", f"you are muted until {until:%Y-%m-%d %H:%M} UTC", seconds=seconds)


def _voice() -> QuerySet[User, Any]:
    mutes = Mute.objects.filter(user=OuterRef("pk"), until__gt=Given("at", DateTimeField()))
    until = Subquery(mutes.order_by("-until").values("until")[:1])
    return User.objects.filter(pk__in=USERS).annotate(until=until).values_list("until", "warned_at")


_VOICE: Final = Compiled(_voice)


_MATCH: Final = Given("match", BigIntegerField())
_USER: Final = Given("user", BigIntegerField())
_LOCKED: Final = Compiled(lambda: Match.objects.select_for_update(no_key=True).filter(pk=_MATCH))
_EARLIER: Final = Compiled(
    lambda: Post.objects.filter(match=_MATCH, user=_USER, action_id=Given("id", CharField()))
)
_SEAT: Final = Compiled(lambda: Seat.objects.filter(match=_MATCH, user=_USER).values_list("no"))
_REPLACED: Final = Compiled(
    lambda: Replaced.objects.filter(match=_MATCH, user=_USER).values_list("no")[:1]
)
_LAST: Final = Compiled(
    lambda: (
        Post.objects.filter(match=_MATCH, room=Given("room", CharField()))
        .order_by("-no")
        .values_list("no")[:1]
    )
)


def say(*, match_id: int, user_id: int, room: str, text: str, action_id: str) -> Line:
    """Store a line of chat and return it; a repeated ``action_id`` returns the first one. Raises
    ``forbidden``, ``muted``, ``message_unread``.
    """
    require_voice(user_id)
    with transaction.atomic():
        [match] = _LOCKED.objects(Match, match=match_id)
        [author] = read_rows(User, "id", [user_id])
        for earlier in _EARLIER.objects(Post, match=match_id, user=user_id, id=action_id):
            earlier.user = author
            return _lines(match.game, [earlier])[0]
        seat_no = seat_of(match_id, user_id)
        found = rooms_of(match, seat_no).get(room)
        knows_too_much = match.is_live and _REPLACED.rows(match=match_id, user=user_id)
        if found is None or not found.may_speak or knows_too_much:
            refuse("forbidden", "this is not a room for you to talk in")
        last = _LAST.rows(match=match_id, room=room)
        match.last_post += 1
        _NUMBER.update([(match.last_post, match_id)])
        post = Post(
            match=match,
            serial=match.last_post,
            no=last[0][0] + 1 if last else 1,
            user=author,
            seat=seat_no,
            room=room,
            text=text,
            action_id=action_id,
            at=timezone.now(),
        )
        _POSTS.insert([_post_row(post)])
    return _lines(match.game, [post])[0]


_NUMBER: Final = BulkRows(Match, ["last_post", "id"])
_FIELDS: Final = [field for field in Post._meta.concrete_fields if not field.primary_key]
_POSTS: Final = BulkRows(Post, [field.name for field in _FIELDS])
_post_row: Final = attrgetter(*(field.attname for field in _FIELDS))


def seat_of(match_id: int, user_id: int | None) -> int | None:
    seats = [] if user_id is None else _SEAT.rows(match=match_id, user=user_id)
    return seats[0][0] if seats else None


def rooms_of(match: Match, seat: int | None) -> Mapping[str, Room]:
    """Return the chat rooms of a match for a seat (None: a spectator)."""
    cached = known_at(match) or standing_of(match)
    return cached.table.rooms(cached.state, Viewer(None if seat is None else SeatNo(seat)))


def lines(match_id: int, after: int = 0) -> list[Line]:
    """Return the chat after a serial number, the last 50 lines at most."""
    found = selectors.posts(match_id, after=after)
    return _lines(read_rows(Match, "id", [match_id])[0].game, found) if found else []


def _lines(slug: str, posts: Collection[Post]) -> list[Line]:
    """Return stored posts as lines. Where roles are hidden, everybody gets all chat."""
    is_part_of_game = registry.table(slug).hides_presence
    unheard = {} if is_part_of_game else unheard_by({post.user_id for post in posts})
    return [line_of(post, unheard.get(post.user_id, ())) for post in posts]


def line_of(post: Post, unheard: Collection[int] = ()) -> Line:
    wire = {
        "room": post.room,
        "no": post.no,
        "name": post.user.username,
        "avatar": "robot" if post.user.is_bot else post.user.avatar,
        "seat": post.seat,
        "text": post.text,
        "at": iso(instant(post.at)),
    }
    return Line(post.serial, post.room, post.no, wire, unheard)


def may_read(rooms: Mapping[str, Room], line: Line | Post) -> bool:
    """Whether a line is in the readable part of one of these rooms."""
    room = rooms.get(line.room)
    if room is None or line.no < room.reads_from:
        return False
    return room.reads_to is None or line.no <= room.reads_to
