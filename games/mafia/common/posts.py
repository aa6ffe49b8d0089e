"""Requests to a Mafia match besides its socket: posts and their reports, votes, a user's notes. A
query asks only for what the rules let the viewer read; it does not filter a larger result.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator
from typing import Annotated, Any, Final, NamedTuple, TypedDict

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from msgspec import Meta, field

from accounts.models import User
from economy.errors import LedgerError
from games.engine.errors import BadField, IllegalAction
from games.engine.facts import Instant, iso
from games.engine.input import ActionId
from games.engine.structs import Reader, Record, Whole
from games.mafia.common.rules.actions import RoomName
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.roster import Vote, majority
from games.mafia.common.town_config import watched_town
from games.matches.journal.entries import read_facts
from games.matches.journal.loading import standing_of
from games.matches.journal.reading import Sought, find_entries
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission, pause_after
from games.matches.queries.match_view import filled
from games.matches.views import PRIVATE, watched
from games.moderation import reports
from games.moderation.reports import readable
from games.posts import notebooks
from games.posts.notebooks import LONGEST_NOTES
from games.posts.queries import (
    POST,
    Said,
    count_posts,
    entry_numbers,
    hidden_in,
    posts_between,
    withheld_from_replays,
)
from games.realtime import runtime
from games.realtime.limits import TooFast
from games.realtime.runtime import tell

#: Largest request in bytes: 4,000 characters of four bytes each, and the JSON around them; a frame
#: of a socket holds 8,192 bytes.
LARGEST_POST: Final = 20_480
LARGEST_NOTES: Final = 61_440
#: The largest number of a post, in an address too, and of a revision of notes.
LARGEST_NO: Final = 1_000_000_000


class Written(Record, frozen=True):
    id: ActionId
    phase: Whole
    text: str


#: Room -> the number of a post in that room.
Marks = Annotated[dict[RoomName, Annotated[int, Meta(ge=0, le=LARGEST_NO)]], Meta(max_length=8)]


class Noted(Record, frozen=True):
    no: Annotated[int, Meta(ge=1, le=LARGEST_NO)]
    notes: Annotated[str, Meta(max_length=LONGEST_NOTES)] | None = None
    read_to: Marks = field(default_factory=dict)


NOTED: Final[Reader[Noted]] = Reader(Noted)
WRITTEN: Final[Reader[Written]] = Reader(Written)


@require_http_methods(["GET", "POST"])
def posts(request: HttpRequest, public_id: str, room: str) -> JsonResponse:
    """Return a page of a room's posts, or post there; a repeated id posts once."""
    read_or_write = _post if request.method == "POST" else _page
    return read_or_write(request, public_id, room)


@require_GET
def votes(request: HttpRequest, public_id: str) -> JsonResponse:
    match, town = watched_town(request, public_id)
    return _answer({"days": votes_of(match, by_majority=town.by_majority)})


@require_GET
def will(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return the user's own last will, in an answer as long as most others."""
    match, _ = watched_town(request, public_id)
    return _answer(filled({"text": own_will(match, _seat(request, match))}, json.dumps))


@require_POST
def report(request: HttpRequest, public_id: str, room: str, no: int) -> JsonResponse:
    """Report a post to the administrators; a second report of the same post is ignored."""
    match = watched(request, public_id)
    if not isinstance(request.user, User):
        return _refusal("unauthenticated", "log in to report a post", 401)
    try:
        reports.report_post(match, request.user, (room, no), request.POST.get("reason", ""))
    except BadField as problem:
        return _refusal(problem.code, problem.message, 400)
    except LookupError as problem:
        return _refusal("not_found", str(problem), 404)
    except IllegalAction as problem:
        return _refused(problem)
    return _answer({"reported": True})


@require_POST
def notebook(request: HttpRequest, public_id: str) -> JsonResponse:
    match = watched(request, public_id)
    if not isinstance(request.user, User):
        return _refusal("unauthenticated", "log in to keep notes", 401)
    if len(request.body) > LARGEST_NOTES:
        return _refusal("too_big", f"at most {LARGEST_NOTES} bytes", 413)
    try:
        noted = NOTED.given(request.body)
        notebooks.write_notebook(match, request.user, noted.no, noted.notes, noted.read_to)
    except notebooks.WrittenOver as problem:
        # Two windows of one user may conflict: the client sends the change again.
        return _answer({"no": problem.detail["no"], "is_kept": False})
    except IllegalAction as problem:
        return _refused(problem)
    return _answer({"no": noted.no, "is_kept": True})


def _page(request: HttpRequest, public_id: str, room: str) -> JsonResponse:
    match = watched(request, public_id)
    try:
        before, after = _number(request, "before"), _number(request, "after") or 0
    except ValueError as problem:
        return _refusal("bad_field", str(problem), 400)
    try:
        page = posts_in(match, _seat(request, match), room, before=before, after=after)
    except LookupError as problem:
        return _refusal("not_found", str(problem), 404)
    # While a match is live nothing may show that a post was reported.
    if "replay" in request.GET and not match.is_live:
        page = without_withheld(match, room, page)
    said = [post._asdict() for post in page.posts]
    return _answer({"room": room, "last": page.last, "posts": said, "hidden": page.hidden})


def _post(request: HttpRequest, public_id: str, room: str) -> JsonResponse:
    match = watched(request, public_id)
    if not isinstance(request.user, User):
        return _refusal("unauthenticated", "log in to post", 401)
    if len(request.body) > LARGEST_POST:
        return _refusal("too_big", f"at most {LARGEST_POST} bytes", 413)
    try:
        written = WRITTEN.given(request.body)
        action = {"kind": POST, "room": room, "text": written.text}
        if (here := runtime.current()) is not None:
            # A post counts against the rate limit of chat.
            address = get_adapter().get_client_ip(request)
            here.chat_limits.take(request.user.pk, str(address or ""))
        writing.submit(Submission(match.pk, action, written.id, request.user.pk, written.phase))
    except (IllegalAction, LedgerError) as problem:
        return _refused(problem)
    tell([match.pk])
    return _answer({"id": written.id})


def _answer(body: object, status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": PRIVATE})


def _refusal(code: str, message: str, status: int, **more: object) -> JsonResponse:
    """Return a refusal in the error format of the sockets."""
    return _answer({"error": {"code": code, "message": message, **more}}, status)


def _refused(problem: IllegalAction | LedgerError) -> JsonResponse:
    retry_ms = problem.retry_ms if isinstance(problem, TooFast) else pause_after(problem)
    more = {} if retry_ms is None else {"retry_ms": retry_ms}
    return _refusal(problem.code, problem.message, 409 if retry_ms is None else 429, **more)


def _seat(request: HttpRequest, match: Match) -> int | None:
    if request.user.pk is None:
        return None
    return match.seats.filter(user_id=request.user.pk).values_list("no", flat=True).first()


def _number(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and 0 < int(given[:12]) <= LARGEST_NO):
        raise ValueError(f"{name} is a number from 1")
    return int(given)


#: Posts per page.
PAGE: Final = 50


class RoomPage(NamedTuple):
    """Some posts of a room, oldest first; the number of the last post, and those of all hidden
    posts, that the viewer may read.
    """

    last: int
    posts: list[Said]
    hidden: list[int]


def posts_in(
    match: Match, seat: int | None, room: str, *, before: int | None = None, after: int = 0
) -> RoomPage:
    """Return the last posts of a room that a seat (None: a spectator) may read, with numbers below
    ``before`` and above ``after``; without ``before``, the next ones. Raises LookupError.
    """
    found = readable(match, seat, room)
    last = count_posts(match, room) if found.reads_to is None else found.reads_to
    unread = max(after, found.reads_from - 1)
    if before is None and after:
        start, end = unread, min(last, unread + PAGE)
    else:
        end = last if before is None else min(last, before - 1)
        start = max(unread, end - PAGE)
    hidden = sorted(no for no in hidden_in(match, room) if found.reads_from <= no <= last)
    return RoomPage(last, posts_between(match, room, start + 1, end), hidden)


def own_will(match: Match, seat: int | None) -> str:
    """Return a living seat's last will for itself; empty for everybody else."""
    play = standing_of(match).state.play
    member = None if seat is None or play is None else play.member(seat)
    return "" if member is None else str(member.will)


def without_withheld(match: Match, room: str, page: RoomPage) -> RoomPage:
    """Return a page for a replay, which repeats no reported post either."""
    withheld = {no for place, no in withheld_from_replays(match) if place == room}
    posts = [
        post._replace(text="", is_hidden=True) if post.no in withheld else post
        for post in page.posts
    ]
    hidden = {*page.hidden, *(no for no in withheld if no <= page.last)}
    return RoomPage(page.last, posts, sorted(hidden))


DEATHS: Final = frozenset({"citizen_died", "player_died"})
#: The kinds of facts that make the history.
KINDS: Final = (*sorted(DEATHS), "game_started", "day_began", "night_began", "voted")
#: The entries with such a fact.
_TELLING: Final = Sought(tells=tuple(f'"kind":"{kind}"' for kind in KINDS))


class Cast(TypedDict):
    """A vote, or the death of a seat by day, which ends its vote."""

    seat: int
    choice: Vote
    is_death: bool
    at: str
    #: The number of posts in the town before it, so without the will of whom it kills.
    after: int
    #: The votes that decide from then on, None where votes decide nothing before the day's end.
    needed: int | None


class Day(TypedDict):
    """The living at a day's beginning, the votes that they need to decide, and what followed."""

    round: int
    living: list[int]
    needed: int | None
    is_over: bool
    cast: list[Cast]


def votes_of(match: Match, *, by_majority: bool) -> list[Day]:
    """Return the days of a match with all their votes and the deaths between, in order, in three
    queries. ``by_majority``: whether more than half of the living decide a day.
    """

    def needed() -> int | None:
        return majority(len(living)) if by_majority else None

    days: list[Day] = []
    living: list[int] = []
    posts = entry_numbers(match, TOWN)
    for no, at, kind, data in _facts(match):
        if kind == "game_started":
            living = list(data["seats"])
        elif kind == "day_began":
            round_ = data["round"]
            days.append(Day(round=round_, living=living, needed=needed(), is_over=False, cast=[]))
        elif kind == "night_began":
            days = _closed(days)
        elif days or kind in DEATHS:
            is_death = kind in DEATHS
            living = [seat for seat in living if not (is_death and seat == data["seat"])]
            if days and not days[-1]["is_over"]:
                cast = Cast(
                    seat=data["seat"],
                    choice=None if is_death else data["choice"],
                    is_death=is_death,
                    at=at,
                    after=bisect_left(posts, no),
                    needed=needed(),
                )
                days[-1]["cast"].append(cast)
    return days if match.status in Match.LIVE else _closed(days)


def _closed(days: list[Day]) -> list[Day]:
    return [*days[:-1], {**days[-1], "is_over": True}] if days else []


def _facts(match: Match) -> Iterator[tuple[int, str, str, Any]]:
    """Yield number of the entry, time, kind and data of the public facts of the history."""
    for entry in find_entries([match.pk], _TELLING, is_live=match.is_live):
        for kind, data, audience in read_facts(entry.facts):
            if kind in KINDS and audience is None:
                yield entry.no, iso(Instant(entry.at_ms)), kind, data
