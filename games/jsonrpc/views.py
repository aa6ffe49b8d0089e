"""JSON-RPC over HTTP, the OpenRPC document, and the page for programmers of each game."""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import BigIntegerField, CharField
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.tokens import bearer_secret
from economy.sql import Compiled, Given
from games import registry
from games.engine.errors import NotInPhase
from games.engine.facts import instant, iso
from games.engine.input import LARGEST_FRAME
from games.engine.structs import canonical
from games.events import queries as events
from games.events import services as event_services
from games.events.models import Event
from games.jsonrpc import envelope
from games.jsonrpc.envelope import QUESTIONS, Done
from games.jsonrpc.errors import Problem, own
from games.jsonrpc.generated import interface_of
from games.jsonrpc.interface import ACTION_ID, HTTP, SOCKET, Interface, Method, Move, Nothing
from games.jsonrpc.openrpc import ADDITION, NAMES, document, type_of
from games.matches import services as matches
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.submissions import Answer, Busy, Submission
from games.matches.queries import selectors
from games.realtime import runtime
from games.realtime.access import ACTING
from games.realtime.limits import Bucket, LruDict
from games.realtime.protocol import write
from games.realtime.sessions import BadToken, Stamp, token_login

log = logging.getLogger(__name__)

#: The callers' allowances; a dropped caller gets a full one again.
_buckets = LruDict(lambda: Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST))

#: The seconds for which a request waits for the batch writer.
PATIENCE: Final = 5.0


@dataclass(slots=True)
class HttpCaller:
    """A program's request: its user, its login by a token if it came with one, and the game."""

    user: User
    stamp: Stamp | None
    origin: str
    interface: Interface
    where: str = HTTP

    def call(self, method: Method, arguments: Nothing, done: Done) -> None:
        given = method.values(arguments)
        if isinstance(arguments, Move):
            more = {name: value for name, value in given.items() if name != "public_id"}
            given["body"] = canonical(["rpc", method.name, *([more] if more else [])])
            given["action_id"] = arguments.unique_id
        done(HANDLERS[method.kind](self, **given))


def _open_match(caller: HttpCaller, **options: Any) -> dict[str, Any]:
    """Open a match in place of the caller's own without a seat taken, except challenges."""
    slug = caller.interface.slug
    # Before the others are closed.
    matches.require_opening_left(caller.user, timezone.now())
    for empty in _EMPTY.objects(Match, user=caller.user.pk, game=slug):
        _close(empty, "replaced")
    match = matches.open_match(opened_by=caller.user, options=options, game=slug)
    runtime.tell([match.pk])
    return _row(caller, {"public_id": match.public_id, "status": match.status})


_EMPTY: Final = Compiled(
    lambda: Match.objects.filter(
        opened_by=Given("user", BigIntegerField()),
        game=Given("game", CharField()),
        status=Match.Status.OPEN,
        invited=None,
        seats=None,
    )
)


def _close_match(caller: HttpCaller, public_id: str, **_: str) -> dict[str, Any]:
    match = _find(caller, public_id)
    if match.opened_by_id != caller.user.pk:
        raise own("not_found")
    if match.status == Match.Status.CLOSED:
        return {"repeated": True}
    others = match.seats.exclude(user=caller.user).exists()
    if match.status != Match.Status.OPEN or others:
        raise NotInPhase("only a match at which nobody else sits can be closed")
    _close(match, "closed")
    return {"repeated": False}


def _close(match: Match, reason: str) -> None:
    """Close a table before its game; raises a refusal if a game has begun meanwhile."""
    closing = writing.house(match.pk, "close", f"rpc-{reason}", reason=reason)
    answer = writing.apply([closing]).answers[0]
    if answer.error is not None:
        raise answer.error
    runtime.tell([match.pk])


def _join_match(caller: HttpCaller, public_id: str, action_id: str, body: str, **purse: int) -> Any:
    match, user_id = _find(caller, public_id), caller.user.pk
    action = {"kind": "sit", **purse}
    answer = _ask(Submission(match.pk, action, action_id, user_id, body=body), caller.stamp)

    def seat() -> int | None:
        return selectors.snapshot_of(match).seat_of(user_id)

    return envelope.outcome_of(action, answer, caller.interface.seat, seat)


def _find(caller: HttpCaller, public_id: str) -> Match:
    """Return a match of the game that the caller may watch; raises a refusal."""
    match = selectors.find_match(public_id)
    if (
        match is None
        or match.game != caller.interface.slug
        or not selectors.may_watch(match, caller.user.pk)
    ):
        raise own("not_found")
    return match


def _ask(submission: Submission, stamp: Stamp | None) -> Answer:
    """Submit an action from a request's thread: to the batch writer if one runs, else directly."""
    running = runtime.current()
    if running is None:
        return writing.apply([submission]).answers[0]
    waiting: Future[Answer] = Future()
    running.writer.submit(submission, waiting.set_result, stamp)
    try:
        return waiting.result(PATIENCE)
    except TimeoutError:
        return Answer(Busy("it is not known yet; ask again with the same action_id"))


def _row(caller: HttpCaller, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a match's row with the address of its socket."""
    return {**row, "socket": f"{caller.interface.socket}{row['public_id']}/"}


def _rows(caller: HttpCaller, games: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [_row(caller, row) for row in games[caller.interface.slug]]


def _list_events(caller: HttpCaller) -> list[dict[str, Any]]:
    names = ("opens_at", "starts_at")
    rows = events.listed_rows(timezone.now())
    return [{**row, **{name: iso(instant(row[name])) for name in names}} for row in rows]


def _enter_event(caller: HttpCaller, event_id: str, **_: str) -> dict[str, Any]:
    event = _event(event_id)
    is_in = event.entrants.filter(user=caller.user).exists()
    event_services.enter(event_id=event.pk, user=caller.user)
    return {"repeated": is_in}


def _leave_event(caller: HttpCaller, event_id: str, **_: str) -> dict[str, Any]:
    event_services.withdraw(event_id=_event(event_id).pk, user=caller.user)
    return {"repeated": False}


def _event(public_id: str) -> Event:
    event = events.find(public_id)
    if event is None:
        raise own("not_found")
    return event


def _my_event_match(caller: HttpCaller) -> dict[str, Any] | None:
    for event in events.entered_by(caller.user):
        match = event_services.current_match(event, caller.user)
        if match is not None:
            return _row(caller, {"public_id": match.public_id, "status": match.status})
    return None


#: The handlers of the methods, by kind.
HANDLERS: Final[Mapping[str, Callable[..., Any]]] = {
    "list_matches": lambda caller: _rows(caller, selectors.lobby()),
    "my_matches": lambda caller: _rows(caller, selectors.matches_of(caller.user)),
    "open_match": _open_match,
    "close_match": _close_match,
    "join_match": _join_match,
    "list_events": _list_events,
    "enter_event": _enter_event,
    "leave_event": _leave_event,
    "my_event_match": _my_event_match,
    **QUESTIONS,
}


@require_GET
def openrpc(request: HttpRequest, slug: str) -> HttpResponse:
    described = document(_interface(slug), _origin(request))
    return JsonResponse(described, headers={"Cache-Control": "public, max-age=300"})


@require_GET
def reference(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Show a game's methods, notifications and errors, with a console; by default the first's."""
    games = list(registry.tables())
    interface = _interface(slug or games[0].slug)
    origin, user = _origin(request), request.user
    told = document(interface, origin)
    methods = [_entry(each) for each in told["methods"]]
    console = [each for each in methods if NAMES[SOCKET] in each["where"]]
    context = {
        "interface": interface,
        "tables": games,
        "methods": methods,
        "notifications": [_entry(each) for each in told["x-notifications"]],
        "errors": told["components"]["errors"].values(),
        "site": origin,
        "sockets": origin.replace("http", "ws", 1),
        "console": {
            "methods": [{"name": each["name"], "params": each["example"]} for each in console],
            "socket": f"{interface.socket}PUBLIC_ID/",
        },
        "mine": selectors.matches_of(user)[interface.slug] if isinstance(user, User) else [],
    }
    return render(request, "games/api.html", context)


def _entry(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a method or a notification of the document as the page shows it."""
    given = told["examples"][0]["params"] if "examples" in told else ()
    return {
        **told,
        "parameters": [
            {**each, "type": type_of(each["schema"])}
            for each in told["params"]
            if each["name"] != ACTION_ID.name
        ],
        "where": told.get("x-servers", ()),
        "example": {each["name"]: each["value"] for each in given},
        "is_private": told.get("x-private", False),
        "is_addition": told.get("tags") == [{"name": ADDITION}],
    }


@csrf_exempt
@require_POST
@never_cache
def rpc(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer a call or a batch, for a token or for a session with its CSRF token."""
    interface = _interface(slug)
    secret = bearer_secret(request.headers.get("Authorization"))
    if secret is None:
        return _with_session(request, interface)
    try:
        stamp, user = token_login(secret)
    except BadToken:
        log.warning("rpc.bearer: a call with a wrong or revoked token was refused")
        return _unauthenticated("this token is not valid")
    request.META[ACTING] = stamp.user_id
    return _answer(request, HttpCaller(user, stamp, _origin(request), interface))


@csrf_protect
def _with_session(request: HttpRequest, interface: Interface) -> HttpResponse:
    if not isinstance(request.user, User):
        return _unauthenticated("send a token, or log in")
    return _answer(request, HttpCaller(request.user, None, _origin(request), interface))


def _answer(request: HttpRequest, caller: HttpCaller) -> HttpResponse:
    if request.content_type != "application/json":
        return _refusal(415, own("bad_envelope", "send application/json"))
    if len(request.body) > LARGEST_FRAME:
        return _refusal(413, own("too_big", f"at most {LARGEST_FRAME} bytes"))
    # What is not UTF-8 becomes surrogates, which are not JSON.
    text = request.body.decode(errors="surrogateescape")
    message = envelope.read_message(text)
    bucket = _buckets.of(caller.user.pk)
    if not all(bucket.take() for _ in message.elements):
        return _refusal(429, own("rate_limited"), {"Retry-After": "1"})
    texts: list[str] = []
    envelope.carry_out(message, caller, texts.append)
    if not texts:
        return HttpResponse(status=204)
    return HttpResponse(texts[0], content_type="application/json")


def _interface(slug: str) -> Interface:
    try:
        return interface_of(slug)
    except KeyError:
        raise Http404 from None


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _unauthenticated(why: str) -> HttpResponse:
    return _refusal(401, own("unauthenticated", why), {"WWW-Authenticate": "Bearer"})


def _refusal(
    status: int, problem: Problem, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    text = write(envelope.answer(None, problem))
    return HttpResponse(text, content_type="application/json", status=status, headers=headers)
