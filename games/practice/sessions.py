"""Who practises: a signed cookie of the browser's session, and no row anywhere.

The pages give it, since not every server can let a socket's handshake do so.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

_SIGNER: Final = Signer(salt="games.practice")


def session_of(scope: dict[str, Any]) -> str | None:
    """Return the practice session that a handshake's cookie stands for, None without one."""
    raw = dict(scope["headers"]).get(b"cookie", b"")
    try:
        morsel = SimpleCookie(raw.decode("latin-1")).get(settings.PRACTICE_COOKIE_NAME)
    except CookieError:
        return None
    return None if morsel is None else _read(morsel.value)


def new_session() -> str:
    """Return an unguessable name of a practice session."""
    return secrets.token_urlsafe(16)


def give_session(request: HttpRequest, response: HttpResponse) -> None:
    """Let the browser come back to its practice table until it is closed."""
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
