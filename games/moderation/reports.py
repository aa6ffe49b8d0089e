"""Reports of players and posts: each opens a flag that alone reveals no secret."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games import registry
from games.engine.errors import BadField, IllegalAction
from games.engine.protocols import SPECTATORS_ROOM, TABLE_ROOM, Room
from games.engine.structs import canonical
from games.matches.models import Flag, HiddenPost, Match, Post, PostReport
from games.matches.processing.submissions import written
from games.matches.queries.losses import midnight_before
from games.moderation import flags
from games.posts.chat import may_read, rooms_of
from games.posts.queries import Said, author_of, posts_between

#: The most posts and names that a user may report in a UTC day.
MOST_A_DAY: Final = 20
#: The number of posts shown before and after a reported one.
AROUND: Final = 5
LONGEST_REASON: Final = 500
#: The rooms whose lines are chat, not posts.
CHAT_ROOMS: Final = frozenset({TABLE_ROOM, SPECTATORS_ROOM})


class ReportedEnough(IllegalAction):
    """The user has reached the daily limit of reports; detail: most."""

    code = "limit"


def readable(match: Match, seat: int | None, room: str) -> Room:
    """Return the room of posts as a seat (None: a spectator) may read it; raises LookupError."""
    found = rooms_of(match, seat).get(room)
    # No such room, and not for this viewer, look alike.
    if found is None or room in CHAT_ROOMS:
        raise LookupError("there is no such room here")
    return found


def require_report_left(user: User, at: datetime) -> None:
    """Refuse a report above the daily limit; raises ReportedEnough. Call inside the transaction
    that stores the report: it locks the user's row.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    posts = PostReport.objects.filter(by=user, at__gte=midnight_before(at)).count()
    if posts + flags.names_reported(user.pk, at) >= MOST_A_DAY:
        raise ReportedEnough(f"you may report {MOST_A_DAY} times a day", most=MOST_A_DAY)


def reason_of(text: str) -> str:
    """Return the reason of a report as it is stored, with something to read; raises BadField."""
    reason = " ".join(written(text, "reason").split())[:LONGEST_REASON]
    if not reason:
        raise BadField("say what is wrong", field="reason")
    return reason


def report_player(
    *, user: User, name: str, reason: str, said: str = "", at: datetime | None = None
) -> bool:
    """Report a player; return whether that opens a flag: a second report on a day, an unknown name
    and the user's own open none. ``said``: a line of chat. Raises BadField, ReportedEnough.
    """
    at, reason = at or timezone.now(), reason_of(reason)
    reported = User.objects.filter(username=name).exclude(pk=user.pk).first()
    if reported is None:
        return False
    with transaction.atomic():
        require_report_left(user, at)
        return flags.open_flag(flags.reported(user.pk, reported.pk, reason, at, said))


def line_of_chat(match: Match, viewer: User, author: User, place: tuple[str, int]) -> str:
    """Return a line of chat that a viewer may read, else "". ``place``: room and number."""
    room, no = place
    # Where roles are hidden a line of a running game could tell one.
    if getattr(registry.find(match.game), "hides_presence", True):
        return ""
    post = Post.objects.filter(match=match, room=room, no=no, user=author).first()
    seat = match.seats.filter(user=viewer).values_list("no", flat=True).first()
    return post.text if post is not None and may_read(rooms_of(match, seat), post) else ""


def report_post(
    match: Match, user: User, place: tuple[str, int], reason: str, at: datetime | None = None
) -> bool:
    """Report a post that the user may read; return whether that is new. ``place``: room and number.
    Raises LookupError, BadField, ReportedEnough.
    """
    at, reason = at or timezone.now(), reason_of(reason)
    room, no = place
    seat = match.seats.filter(user=user).values_list("no", flat=True).first()
    may = readable(match, seat, room)
    is_there = no >= max(1, may.reads_from) and (may.reads_to is None or no <= may.reads_to)
    author = author_of(match, room, no) if is_there else None
    if author is None:
        raise LookupError("there is no such post here")
    report = PostReport(
        match=match, room=room, no=no, author_id=author, by=user, at=at, reason=reason
    )
    report.is_private = room not in rooms_of(match, None)
    with transaction.atomic():
        require_report_left(user, at)
        return _open(report)


def posts_around(report: PostReport) -> list[Said]:
    """Return a reported post and the posts around it, hidden ones too."""
    first, last = report.no - AROUND, report.no + AROUND
    return posts_between(report.match, report.room, first, last, with_hidden=True)


def hide(report: PostReport, at: datetime | None = None) -> bool:
    """Hide a reported post from everybody; return whether it was shown until now."""
    _, is_new = HiddenPost.objects.get_or_create(
        match=report.match, room=report.room, no=report.no, defaults={"at": at or timezone.now()}
    )
    return is_new


def show_again(report: PostReport) -> bool:
    """Show a hidden post again; return whether it was hidden."""
    place = {"match": report.match, "room": report.room, "no": report.no}
    return bool(HiddenPost.objects.filter(**place).delete()[0])


def _open(report: PostReport) -> bool:
    """Store a report with its flag, unless the post has one; return whether it is new."""
    with transaction.atomic():
        # Under the match's lock, so that concurrent reports of a post store one row.
        match = Match.objects.select_for_update(no_key=True).get(pk=report.match_id)
        earlier = PostReport.objects.filter(match=match)
        if earlier.filter(room=report.room, no=report.no).exists():
            return False
        report.flag = Flag.objects.create(
            # Without the post's room and number: those could reveal a role.
            key=f"post:{match.pk}:{earlier.count() + 1}",
            kind=Flag.Kind.POST,
            detail=canonical({"match": match.title}),
            opened_at=report.at,
        )
        report.save(force_insert=True)
    return True
