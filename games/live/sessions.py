"""Who is on the other end of a socket, and whether that is still so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, Protocol

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.tokens import find_token
from games.live.origin import bearer_of


@dataclass(frozen=True, slots=True)
class Stamp:
    """A login as it was when the socket opened; ``password`` is the stored hash.

    A browser's has the key of its session, a program's the number of its token.
    """

    session_key: str
    user_id: int
    name: str
    password: str
    token_id: int | None = None


class BadToken(Exception):
    """A handshake or request carries a token that is unknown, revoked or of a banned user."""


class LiveSocket(Protocol):
    """A socket of this process, whatever it shows; ``opened`` is its loop's time.

    Sockets of one ``allowance`` count together towards what a user may have open.
    """

    stamp: Stamp | None
    opened: float
    allowance: str

    @property
    def address(self) -> str:
        """The network address of the other end."""

    def close(self, code: int) -> None:
        """End the socket."""

    def check_liveness(self) -> None:
        """End the socket when nothing came from it for too long."""


def read_stamp(scope: dict[str, Any]) -> Stamp | None:
    """Return the login that a handshake's token or cookie stands for; None for a guest.

    Raises:
        BadToken: there is a token, and it is not valid; a cookie beside it does not help.
    """
    secret = bearer_of(dict(scope["headers"]))
    if secret is not None:
        return token_stamp(secret)
    key = _session_key(scope)
    if key is None:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    if not isinstance(user, User) or not user.is_active:
        return None
    return Stamp(key, user.pk, user.username, user.password)


def token_stamp(secret: str) -> Stamp:
    """Return the login that a program's token stands for; raises BadToken."""
    token = find_token(secret)
    if token is None:
        raise BadToken
    user = token.user
    return Stamp("", user.pk, user.username, user.password, token.pk)


def ended(stamps: Iterable[Stamp]) -> set[Stamp]:
    """Return those whose session or token is over, whose password changed or who were banned."""
    wanted = set(stamps)
    if not wanted:
        return set()
    valid = _in_session(wanted) | _with_token(wanted)
    users = User.objects.filter(pk__in={stamp.user_id for stamp in wanted}, is_active=True)
    passwords = dict(users.values_list("pk", "password"))
    return {
        stamp
        for stamp in wanted
        if stamp not in valid or passwords.get(stamp.user_id) != stamp.password
    }


def _in_session(stamps: Iterable[Stamp]) -> set[Stamp]:
    mine = [stamp for stamp in stamps if stamp.token_id is None]
    if not mine:
        return set()
    keys = [stamp.session_key for stamp in mine]
    valid = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    found = set(valid.values_list("session_key", flat=True))
    return {stamp for stamp in mine if stamp.session_key in found}


def _with_token(stamps: Iterable[Stamp]) -> set[Stamp]:
    mine = [stamp for stamp in stamps if stamp.token_id is not None]
    if not mine:
        return set()
    ids = [stamp.token_id for stamp in mine if stamp.token_id is not None]
    found = set(ApiToken.objects.filter(pk__in=ids, revoked_at=None).values_list("pk", flat=True))
    return {stamp for stamp in mine if stamp.token_id in found}


def _session_key(scope: dict[str, Any]) -> str | None:
    raw = dict(scope["headers"]).get(b"cookie", b"")
    try:
        cookies = SimpleCookie(raw.decode("latin-1"))
    except CookieError:
        return None
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    return morsel.value if morsel else None
