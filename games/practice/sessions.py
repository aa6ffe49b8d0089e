"""Practice sessions: a signed cookie, without a row. Pages set it, since not every server lets a
socket's handshake do so.
"""

import secrets
from typing import Any, Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from games.realtime.sessions import cookie_of

_SIGNER: Final = Signer(salt="games.practice")


def session_of(scope: dict[str, Any]) -> str | None:
    """Return the session in a handshake's cookie, None without a valid one."""
    return _read(cookie_of(scope, settings.PRACTICE_COOKIE_NAME) or "")


def new_session() -> str:
    """Return an unguessable name for a session."""
    return secrets.token_urlsafe(16)


def give_session(request: HttpRequest, response: HttpResponse) -> None:
    """Set a session cookie until the browser closes, unless it has a valid one."""
    if _read(request.COOKIES.get(settings.PRACTICE_COOKIE_NAME, "")) is not None:
        return
    response.set_cookie(
        settings.PRACTICE_COOKIE_NAME,
        _SIGNER.sign(new_session()),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(signed: str) -> str | None:
    try:
        return _SIGNER.unsign(signed)
    except BadSignature:
        return None
