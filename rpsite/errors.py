"""The answer to a request that no view answers: a page, or JSON below the API's address."""

import logging
import sys
from functools import cache
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views import defaults
from django.views.decorators.csrf import requires_csrf_token

from accounts.adapters import is_local_path
from games.api.errors import Refusal
from games.api.operations import ROOT, refused
from games.matches.views import NotWatched
from games.people.views import invitation_page
from games.realtime.access import new_id, trace
from rpsite.input import Receive, Send

log = logging.getLogger(__name__)

#: Seconds after which a client should retry: the database is away, too much is under way.
RETRY_AFTER: Final = 30
SOON: Final = 5
#: SQLite's codes for busy, locked, read-only, input and output, full, cannot open.
_AWAY: Final = frozenset({5, 6, 8, 10, 13, 14})
_CANNOT_OPEN: Final = 14
#: PostgreSQL's classes: connection exception, authorization, no such database, too many, shut down.
_NO_CONNECTION: Final = ("08", "28", "3D", "53", "57")
#: Pages for guests: who is logged in by now goes on to where they lead.
DOORS: Final = ("account_login", "account_signup", "mfa_login_webauthn")
#: Forms with such a field are not shown again with what was typed.
SECRET: Final = ("password", "code", "credential", "token", "secret")


def is_away(problem: BaseException | None) -> bool:
    """Whether an error means that the database is unavailable."""
    if not isinstance(problem, OperationalError):
        return False
    if connection.vendor != "sqlite":
        return True
    code = getattr(problem.__cause__, "sqlite_errorcode", None)
    if code is None:
        # The turnstile uses SQLite's message.
        return str(problem).startswith("database is locked")
    return code & 0xFF in _AWAY


def is_unreachable(problem: OperationalError) -> bool:
    """Whether no connection could be made: it is refused, not answered, or the file is away."""
    cause = problem.__cause__
    if connection.vendor == "sqlite":
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF == _CANNOT_OPEN
    state = getattr(cause, "sqlstate", None)
    return state is None or state[:2] in _NO_CONNECTION


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 to a request that cannot be understood."""
    if _is_api(request.path_info):
        return refused(Refusal("bad_query"))
    return defaults.bad_request(request, exception)


@requires_csrf_token
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 to an address of nothing; a private table may invite instead."""
    if _is_api(request.path_info):
        return refused(Refusal("not_found"))
    page = isinstance(exception, NotWatched) and invitation_page(request, exception.match)
    return page or defaults.page_not_found(request, exception)


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 with the time to wait if the database is unavailable, otherwise 500."""
    if is_away(sys.exc_info()[1]):
        return _busy(RETRY_AFTER, is_api=_is_api(request.path_info), is_crowded=False)
    # The id of all lines about this request.
    incident = trace.get() or new_id()
    # Django has logged the traceback.  Log the URL pattern: a path may hold secrets.
    match = request.resolver_match
    name = type(sys.exc_info()[1]).__name__
    log.error("incident %s: %s at %s", incident, name, match.route if match else "no page")
    if _is_api(request.path_info):
        return refused(Refusal("internal"))
    page = HttpResponse(render_to_string("500.html", {"incident": incident}), status=500)
    page["Cache-Control"] = "no-store"
    return page


async def crowded(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer 503 to a request that gets no turn."""
    answer = _crowded_answer(is_api=_is_api(scope["path"]))
    headers = [(name.encode(), value.encode()) for name, value in answer.items()]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})


@cache
def _crowded_answer(*, is_api: bool) -> HttpResponse:
    """Return the answer to a request that gets no turn; made once, since the event loop does it."""
    return _busy(SOON, is_api=is_api, is_crowded=True)


def _busy(retry_after: int, *, is_api: bool, is_crowded: bool) -> HttpResponse:
    if is_api:
        return refused(Refusal("busy", retry_after))
    page = HttpResponse(render_to_string("503.html", {"is_crowded": is_crowded}), status=503)
    page["Retry-After"] = str(retry_after)
    page["Cache-Control"] = "no-store"
    return page


def _is_api(path: str) -> bool:
    return path.startswith(f"/{ROOT}")


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid token: most are our own and became stale by a log-in in another
    tab. Go on, show a door's form again, or offer to send what was typed again.
    """
    if not is_own(request):
        return render(request, "403_csrf.html", status=HTTPStatus.FORBIDDEN)
    if request.path in map(reverse, DOORS):
        return _door(request)
    again = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    if request.FILES or any(word in name for name, _ in again for word in SECRET):
        again = []
    came_from = request.headers.get("Referer", "")
    back = came_from if came_from.startswith(f"{_origin(request)}/") else reverse("home")
    context = {"fields": again, "address": request.get_full_path(), "back": back}
    return render(request, "403_stale.html", context, status=HTTPStatus.FORBIDDEN)


def is_own(request: HttpRequest) -> bool:
    """Whether the browser says that a form of this site was sent; only then more than a refusal is
    offered.
    """
    is_form = request.content_type in ("application/x-www-form-urlencoded", "multipart/form-data")
    return is_form and request.headers.get("Origin") == _origin(request)


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _door(request: HttpRequest) -> HttpResponse:
    given = request.POST.get("next") or request.GET.get("next", "")
    after = given if is_local_path(given) else ""
    if request.user.is_authenticated:
        return HttpResponseRedirect(after or reverse("home"))
    messages.info(request, "That form had expired. Here is a new one; cookies must be allowed.")
    page = reverse("account_login" if "login" in request.path else "account_signup")
    return HttpResponseRedirect(f"{page}?{urlencode({'next': after})}" if after else page)
