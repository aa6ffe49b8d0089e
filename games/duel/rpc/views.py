"""JSON-RPC over HTTP, and the OpenRPC document.

A program sends a token; a page of the site sends its session cookie and the CSRF token of its
forms.
Source: docs/json-rpc.md "Over HTTP".
"""

import logging
from collections import OrderedDict
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.tokens import bearer_secret
from economy.errors import LedgerError
from games.duel.rpc.http_methods import Caller, carry_out
from games.duel.rpc.openrpc import document
from games.engine.errors import IllegalAction
from games.engine.input import LARGEST_FRAME
from games.jsonrpc import envelope
from games.jsonrpc.answers import Answers
from games.jsonrpc.envelope import Call, Invalid, Message
from games.jsonrpc.errors import INTERNAL_ERROR, Problem, own, refused, standard
from games.realtime.bucket import Bucket
from games.realtime.protocol import write
from games.realtime.sessions import BadToken, token_stamp

log = logging.getLogger(__name__)

#: The number of callers with a stored bucket; a dropped caller gets a full allowance again.
MOST_BUCKETS: Final = 10_000
_buckets: OrderedDict[str, Bucket] = OrderedDict()


@require_GET
def openrpc(request: HttpRequest) -> HttpResponse:
    """Return the OpenRPC document."""
    return JsonResponse(
        document(_origin(request)), headers={"Cache-Control": "public, max-age=300"}
    )


@csrf_exempt
@require_POST
@never_cache
def rpc(request: HttpRequest) -> HttpResponse:
    """Answer a call or a batch, for a token or for a session with its CSRF token."""
    secret = bearer_secret(request.headers.get("Authorization"))
    if secret is None:
        return _with_session(request)
    try:
        stamp = token_stamp(secret)
    except BadToken:
        log.warning("rpc.bearer: a call with a wrong or revoked token was refused")
        return _unauthenticated("this token is not valid")
    return _answer(request, Caller(User.objects.get(pk=stamp.user_id), stamp, _origin(request)))


@csrf_protect
def _with_session(request: HttpRequest) -> HttpResponse:
    if not isinstance(request.user, User):
        return _unauthenticated("send a token, or log in")
    return _answer(request, Caller(request.user, None, _origin(request)))


def _answer(request: HttpRequest, caller: Caller) -> HttpResponse:
    if request.content_type != "application/json":
        return _refusal(415, own("bad_envelope", "send application/json"))
    if len(request.body) > LARGEST_FRAME:
        return _refusal(413, own("too_big", f"at most {LARGEST_FRAME} bytes"))
    try:
        message = envelope.read_message(_text(request.body))
    except Problem as problem:
        return _refusal(200, problem) if _allows(caller, 1) else _too_fast()
    if not _allows(caller, len(message.elements)):
        return _too_fast()
    texts: list[str] = []
    _carry_out_all(caller, message, Answers(message, texts.append))
    if not texts:
        return HttpResponse(status=204)
    return HttpResponse(texts[0], content_type="application/json")


def _carry_out_all(caller: Caller, message: Message, answers: Answers) -> None:
    for number, element in enumerate(message.elements):
        if isinstance(element, Invalid):
            answers.done(number)(element.problem)
        else:
            answers.done(number)(_outcome(caller, element))


def _outcome(caller: Caller, call: Call) -> Any:
    """Return the result of a call, or its problem."""
    try:
        return carry_out(caller, call.method, call.params)
    except Problem as problem:
        return problem
    except (IllegalAction, LedgerError) as refusal:
        return refused(refusal)
    except Exception:
        log.exception("a call over HTTP failed")
        return standard(INTERNAL_ERROR)


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _text(body: bytes) -> str | bytes:
    """Return the text; a body that is not UTF-8 stays bytes, which ``read_message`` refuses."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


def _allows(caller: Caller, calls: int) -> bool:
    """Take ``calls`` from the caller's allowance, which equals that of a socket."""
    key = str(caller.user.pk)
    bucket = _buckets.pop(key, None) or Bucket(settings.SOCKET_RATE, settings.SOCKET_BURST)
    _buckets[key] = bucket
    while len(_buckets) > MOST_BUCKETS:
        _buckets.popitem(last=False)
    return all(bucket.take() for _ in range(calls))


def _too_fast() -> HttpResponse:
    response = _refusal(429, own("rate_limited"))
    response["Retry-After"] = "1"
    return response


def _unauthenticated(why: str) -> HttpResponse:
    response = _refusal(401, own("unauthenticated", why))
    response["WWW-Authenticate"] = "Bearer"
    return response


def _refusal(status: int, problem: Problem) -> HttpResponse:
    text = write(envelope.failure(None, problem))
    return HttpResponse(text, content_type="application/json", status=status)
