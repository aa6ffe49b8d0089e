"""The site's middlewares: headers of pages, pages for empty refusals, static files."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from whitenoise.middleware import WhiteNoiseMiddleware

#: Browser features that no page needs, forbidden for injected scripts too.
_NOT_NEEDED: Final = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
    "microphone", "midi", "payment", "usb",
)  # fmt: skip
PERMISSIONS: Final = ", ".join(f"{feature}=()" for feature in _NOT_NEEDED)
#: The manifest of collected files, which is not served.
_MANIFEST: Final = "/staticfiles.json"
_ADMIN: Final = "/admin/"
#: The admin's pages use Alpine, which evaluates expressions, and inline styles.  Inline scripts
#: and other hosts stay forbidden there too.
_ADMIN_POLICY: Final[dict[str, Any]] = {
    "script-src": [SELF, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
    "base-uri": [NONE],
}

#: Cookies of guests: their pages hold the CSRF token masked, and of practice no more than its name.
_PLAIN_COOKIES: Final = frozenset(
    {settings.CSRF_COOKIE_NAME, settings.PRACTICE_COOKIE_NAME, "theme", "learned"}
)
#: Pages whose body may hold a key from their address, or what an administrator sees.
_WITH_KEYS: Final = ("/accounts/", _ADMIN)

#: The names of the pages of text, and of what installed pages ask for.
TEXTS: Final = frozenset(
    {
        "about", "account_login", "arena_rules", "credits", "fair_play", "manifest", "offline",
        "privacy", "robots", "rules", "rules_agora", "rules_duel", "rules_dynamite",
        "rules_showdown", "security_txt", "service_worker", "status",
    }
)  # fmt: skip

#: What differs each time that a page is made: masked tokens, and the nonce.
_ONCE: Final = re.compile(rb'(?:name="csrfmiddlewaretoken" value=|"csrf": |nonce=)"[^"]+"')

Next = Callable[[HttpRequest], HttpResponse]


class _Middleware:
    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response


def _is_guests_page(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether a page without keys was made for a guest."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    is_guests = _PLAIN_COOKIES.issuperset(request.COOKIES)
    return is_page and is_guests and not request.path_info.startswith(_WITH_KEYS)


class PageHeaders(_Middleware):
    """Forbids unneeded browser features, and caching: most pages show a user's data, and Back after
    a log-out must show nothing. A guest's browser keeps a page and asks whether it is the same.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        is_kept = request.method == "GET" and response.status_code == HTTPStatus.OK
        is_kept = is_kept and "Cache-Control" not in response and not response.streaming
        if not (is_kept and _is_guests_page(request, response)):
            response.headers.setdefault("Cache-Control", "no-store, private")
            return response
        response["Cache-Control"] = "private, no-cache"
        # Old tokens of one secret stay valid, so they count as the same.  The answer 304 has no
        # policy: the browser keeps that of the page, with its nonce.
        same = _ONCE.sub(b"", response.content) + request.META.get("CSRF_COOKIE", "").encode()
        response["ETag"] = etag = f'W/"{salted_hmac("page", same, algorithm="sha256").hexdigest()}"'
        return get_conditional_response(request, etag=etag, response=response) or response


class GuestCompression(GZipMiddleware):
    """Compresses pages of guests, except those with keys: the length of a compressed page tells
    whether a text of the address repeats a secret in it (BREACH). Django adds a random length
    besides.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        if not _is_guests_page(request, response):
            return response
        return super().process_response(request, response)


class SitePolicy(CSPMiddleware):
    """Adds the content security policy of the settings; the admin's pages have another."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith(_ADMIN) and not report_only:
            parts.replace = {**(parts.replace or {}), **_ADMIN_POLICY}
        return parts


class TextsWithoutDatabase(_Middleware):
    """Shows pages of text to members as to guests while the database, and so their log-in, is away.
    Place it before the middleware of sessions.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.SERVICE_UNAVAILABLE or not self._is_text(request):
            return response
        del request.COOKIES[settings.SESSION_COOKIE_NAME]
        request.__dict__.pop("_cached_user", None)
        return self.get_response(request)

    def _is_text(self, request: HttpRequest) -> bool:
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES
        if request.method not in ("GET", "HEAD") or not has_session:
            return False
        try:
            return resolve(request.path_info).url_name in TEXTS
        except Resolver404:
            return False


class MethodPages(_Middleware):
    """Answers HEAD as GET, since the server leaves out the body, and an empty 405 with a page."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response = self.get_response(request)
        request.method = asked
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or response.content:
            return response
        if not request.accepts("text/html"):
            return response
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page


class StaticFiles(WhiteNoiseMiddleware):
    """Serves the collected static files, except their manifest."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        if not url.endswith(_MANIFEST):
            super().add_file_to_dictionary(url, path, stat_cache=stat_cache)
