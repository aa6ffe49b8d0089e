"""The origin of a socket's handshake: with a session cookie only this site's own pages count."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from accounts.tokens import bearer_secret

log = logging.getLogger(__name__)

Application = Callable[..., Awaitable[None]]
#: Schemes of a socket, and of the page that opens it.
PAGE_SCHEME = {"ws": "http", "wss": "https", "http": "http", "https": "https"}


class OriginGate:
    """Refuses handshakes that carry a cookie and come from another site, with HTTP 403."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        is_program = bearer_of(headers) is not None
        if b"cookie" in headers and not is_program and not is_same_site(scope, headers):
            log.warning("ws.origin: a handshake from another site was refused")
            await receive()
            await send({"type": "websocket.close"})
            return
        await self.application(scope, receive, send)


def bearer_of(headers: Mapping[bytes, bytes]) -> str | None:
    """Return the token that a handshake carries; None for a browser's."""
    given = headers.get(b"authorization")
    return None if given is None else bearer_secret(given.decode("latin-1"))


def is_same_site(scope: dict[str, Any], headers: dict[bytes, bytes]) -> bool:
    """Whether the handshake's Origin is the scheme and host that it was sent to."""
    origin = headers.get(b"origin", b"").decode("latin-1").lower()
    host = headers.get(b"host", b"").decode("latin-1").lower()
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    return origin == f"{_scheme(scope, headers)}://{host}"


def origin_of(scope: dict[str, Any]) -> str:
    """Return the site's own origin, as the client addressed it."""
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1").lower()
    return f"{_scheme(scope, headers)}://{host}"


def _scheme(scope: dict[str, Any], headers: dict[bytes, bytes]) -> str:
    """Return the page's scheme; a proxy's header counts only if the settings trust it."""
    trusted = settings.SECURE_PROXY_SSL_HEADER
    if trusted:
        name, secure = trusted
        key = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        return "https" if headers.get(key, b"").decode("latin-1") == secure else "http"
    return PAGE_SCHEME.get(scope.get("scheme", "ws"), "http")
