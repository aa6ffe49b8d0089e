"""JSON-RPC over HTTP, the OpenRPC document, and the page for programmers of each game. A program
sends a token; a page of the site sends its session cookie and the CSRF token of its forms. Source:
docs/reference/json-rpc.md "Over HTTP".
"""

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.tokens import bearer_secret
from games import registry
from games.engine.input import LARGEST_FRAME
from games.jsonrpc import answers, envelope
from games.jsonrpc.answers import Done
from games.jsonrpc.envelope import Call, Message
from games.jsonrpc.errors import Problem, own
from games.jsonrpc.generated import interface_of
from games.jsonrpc.http_methods import Caller, carry_out
from games.jsonrpc.interface import SOCKET, Interface
from games.jsonrpc.openrpc import ADDITION, NAMES, document, type_of
from games.jsonrpc.parameters import ACTION_ID
from games.matches.queries import selectors
from games.realtime.access import ACTING
from games.realtime.limits import Bucket, LruDict
from games.realtime.protocol import write
from games.realtime.sessions import BadToken, token_stamp

log = logging.getLogger(__name__)

#: The callers' allowances; a dropped caller gets a full one again.
_buckets = LruDict(lambda: Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST))


@require_GET
def openrpc(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the OpenRPC document of a game."""
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
        stamp = token_stamp(secret)
    except BadToken:
        log.warning("rpc.bearer: a call with a wrong or revoked token was refused")
        return _unauthenticated("this token is not valid")
    request.META[ACTING] = stamp.user_id
    user = User.objects.get(pk=stamp.user_id)
    return _answer(request, Caller(user, stamp, _origin(request), interface))


@csrf_protect
def _with_session(request: HttpRequest, interface: Interface) -> HttpResponse:
    if not isinstance(request.user, User):
        return _unauthenticated("send a token, or log in")
    return _answer(request, Caller(request.user, None, _origin(request), interface))


def _answer(request: HttpRequest, caller: Caller) -> HttpResponse:
    if request.content_type != "application/json":
        return _refusal(415, own("bad_envelope", "send application/json"))
    if len(request.body) > LARGEST_FRAME:
        return _refusal(413, own("too_big", f"at most {LARGEST_FRAME} bytes"))
    # What is not UTF-8 becomes surrogates, which are not JSON.
    text = request.body.decode(errors="surrogateescape")
    try:
        message: Message | Problem = envelope.read_message(text)
    except Problem as problem:
        message = problem
    if not _allows(caller, len(message.elements) if isinstance(message, Message) else 1):
        return _refusal(429, own("rate_limited"), {"Retry-After": "1"})
    if isinstance(message, Problem):
        return _refusal(200, message)
    texts: list[str] = []

    def act(call: Call, done: Done) -> None:
        done(carry_out(caller, call))

    answers.carry_out(message, texts.append, act)
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


def _allows(caller: Caller, calls: int) -> bool:
    """Take ``calls`` from the caller's allowance, which equals that of a socket."""
    bucket = _buckets.of(caller.user.pk)
    return all(bucket.take() for _ in range(calls))


def _unauthenticated(why: str) -> HttpResponse:
    return _refusal(401, own("unauthenticated", why), {"WWW-Authenticate": "Bearer"})


def _refusal(
    status: int, problem: Problem, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    text = write(envelope.failure(None, problem))
    return HttpResponse(text, content_type="application/json", status=status, headers=headers)
