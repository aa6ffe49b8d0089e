"""Requests to a Mafia match besides its socket: posts and their reports, votes, a user's notes. A
frame of a socket holds 8,192 bytes; 4,000 characters of some scripts need more.
"""

import json
from typing import Annotated, Final

from allauth.account.adapter import get_adapter
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from msgspec import Meta, field

from accounts.models import User
from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.engine.input import ActionId, clean_text
from games.engine.structs import Reader, Record, Whole
from games.mafia.common.queries import own_will, posts_in, votes_of, without_withheld
from games.mafia.common.rules.actions import RoomName
from games.mafia.common.town_config import town_configs
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Submission, pause_after
from games.matches.queries.match_view import filled
from games.matches.views import PRIVATE, watched
from games.moderation import reports
from games.posts import notebooks
from games.posts.notebooks import LONGEST_NOTES
from games.posts.queries import POST
from games.realtime import runtime
from games.realtime.limits import TooFast
from games.realtime.runtime import tell_match

#: Largest request in bytes: 4,000 characters of four bytes each, and the JSON around them.
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
    match = watched(request, public_id)
    if match.game not in town_configs():
        raise Http404
    _, town = town_configs()[match.game]
    return _answer({"days": votes_of(match, by_majority=town.by_majority)})


@require_GET
def will(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return the user's own last will, in an answer as long as most others."""
    match = watched(request, public_id)
    if match.game not in town_configs():
        raise Http404
    return _answer(filled({"text": own_will(match, _seat(request, match))}, json.dumps))


@require_POST
def report(request: HttpRequest, public_id: str, room: str, no: int) -> JsonResponse:
    """Report a post to the administrators; a second report of the same post is ignored."""
    match = watched(request, public_id)
    if not isinstance(request.user, User):
        return _refusal("unauthenticated", "log in to report a post", 401)
    reason = clean_text(request.POST.get("reason", ""))
    if not reason:
        return _refusal("bad_field", "say what is wrong", 400)
    try:
        reports.report_post(match, request.user, (room, no), reason)
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
    tell_match(match)
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
