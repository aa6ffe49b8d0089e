"""Headers that every page has, and a file that is not for visitors.

Source: docs/security.md "Headers".
"""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

#: What no page asks of a browser, so that no script that got in can either.
_NOT_NEEDED: Final = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
    "microphone", "midi", "payment", "usb",
)  # fmt: skip
PERMISSIONS: Final = ", ".join(f"{feature}=()" for feature in _NOT_NEEDED)
#: Which name each file has: for the site, and for whoever looks for files.
_MANIFEST: Final = "/staticfiles.json"


class PageHeaders:
    """Says of every page what it may not do, and that nobody keeps it.

    Every page has a form with its visitor's token, and most show whose they are.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers that a view has not set."""
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cache-Control", "no-store, private")
        return response


class StaticFiles(WhiteNoiseMiddleware):
    """Serves the collected files, but for the list of them."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        """Take a file into those that are served."""
        if not url.endswith(_MANIFEST):
            super().add_file_to_dictionary(url, path, stat_cache=stat_cache)
