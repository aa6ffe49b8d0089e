"""The answer to a form without a valid token: most are our own and became stale by a log-in. Who
logs in gets a new token, so that the forms of all other open tabs are refused.  A browser says
whether a form came from a page of this site; only then more than the refusal is offered.
"""

from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from accounts.adapters import is_local_path

#: Pages for guests: who is logged in by now goes on to where they lead.
DOORS: Final = ("account_login", "account_signup", "mfa_login_webauthn")
#: Forms with such a field are not shown again with what was typed.
SECRET: Final = ("password", "code", "credential", "token", "secret")


def answer(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Go on, show a door's form again, or offer to send what was typed again."""
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
    """Whether the browser says that a form of this site was sent."""
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
