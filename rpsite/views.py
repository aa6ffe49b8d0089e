"""Pages of the site itself: the installable app, the status, the health of a process."""

import json
import secrets
import time
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from rpsite.disk import FULL, warn_of_disk
from rpsite.processes.listening import PROCESS, START, VERSION, WEB
from rpsite.processes.signs import own_token
from rpsite.status import status

#: Size of an icon -> whether it has the margin that systems may cut away.
_ICONS = {"192": False, "512": False, "maskable-512": True}
#: A scanner refuses a text that is valid for more than a year.
VALID: Final = timedelta(days=180)
WELL: Final = "ok"
#: Seconds for which a result is cached: anybody may ask, and each check is a commit.
GOOD_FOR: Final = {True: 5.0, False: 1.0}
#: An expired session that no user has; it is deleted with other ended ones.
_KEY: Final = "healthz"
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


@require_GET
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app's manifest (W3C)."""
    icons = [
        {
            "src": static(f"img/app-{name}.png"),
            "sizes": "x".join([name.rpartition("-")[2]] * 2),
            "type": "image/png",
            "purpose": "maskable" if is_maskable else "any",
        }
        for name, is_maskable in _ICONS.items()
    ]
    content = {
        "name": "Rock & Racket",
        "short_name": "Racket",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#0e1311",
        "theme_color": "#0e1311",
        "icons": icons,
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response["Cache-Control"] = "max-age=3600"
    return response


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script, which must lie at the root to serve every page."""
    shell = [
        static(path)
        for path in (
            "css/site.css",
            "img/favicon.svg",
            "img/app-192.png",
            "vendor/icons/sprite.svg",
            "vendor/fonts/inter.woff2",
            "vendor/fonts/bricolage-grotesque.woff2",
        )
    ]
    paths = {"offline": reverse("offline"), "push": reverse("push_browser")}
    config = json.dumps({**paths, "shell": shell, "icon": shell[2]})
    script = render_to_string("sw.js").replace("{}", config, 1)
    response = HttpResponse(script, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker shows without a network: the same for everybody."""
    response = render(request, "pages/offline.html")
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def status_page(request: HttpRequest) -> HttpResponse:
    """Show what works, the last 90 days, and the last checks."""
    return render(request, "pages/status.html", {"status": status()})


@require_GET
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return the contact for reports of vulnerabilities (RFC 9116); 404 without one."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = timezone.now().replace(hour=0, minute=0, second=0) + VALID
    text = (
        f"Contact: {settings.SECURITY_CONTACT}\n"
        f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}\n"
        "Preferred-Languages: en\n"
        f"Canonical: {settings.PUBLIC_URL}{request.path}\n"
    )
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


class _Look:
    """The last check of this process."""

    found = ""
    until = 0.0


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 "ok" if the database accepts a write and the disk has room, otherwise 503; the
    headers say who answers.
    """
    if time.monotonic() >= _Look.until:
        _Look.found = _found()
        _Look.until = time.monotonic() + GOOD_FOR[_Look.found == WELL]
    names = {PROCESS: WEB, VERSION: settings.VERSION, START: own_token()}
    status = 200 if _Look.found == WELL else 503
    return HttpResponse(_Look.found, status=status, content_type="text/plain", headers=names)


def _found() -> str:
    if warn_of_disk() == FULL:
        return "no room"
    return WELL if _can_write() else "no database"


def _can_write() -> bool:
    # SQLite writes nothing where nothing changes.
    row = Session(session_key=_KEY, session_data=secrets.token_hex(8), expire_date=_LONG_AGO)
    try:
        Session.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["session_key"],
            update_fields=["session_data"],
        )
    except DatabaseError:
        return False
    return True
