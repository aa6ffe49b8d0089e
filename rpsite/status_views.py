"""The public page about the site's state."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from rpsite.status import status

#: A scanner refuses a text that is valid for more than a year.
VALID: Final = timedelta(days=180)


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
