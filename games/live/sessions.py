"""Who is on the other end of a socket, and whether that is still so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, Protocol

from django.conf import settings
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from economy.bulk import is_any


@dataclass(frozen=True, slots=True)
class Stamp:
    """A login as it was when the socket opened; ``password`` is the stored hash."""

    session_key: str
    user_id: int
    name: str
    password: str


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
    """Return the login that a handshake's cookie stands for; None for a guest."""
    key = _session_key(scope)
    if key is None:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    if not isinstance(user, User) or not user.is_active:
        return None
    return Stamp(key, user.pk, user.username, user.password)


def ended(stamps: Iterable[Stamp]) -> set[Stamp]:
    """Return those whose session is over, whose password changed or who were banned."""
    wanted = set(stamps)
    if not wanted:
        return set()
    open_keys, passwords = _standing(wanted)
    return {
        stamp
        for stamp in wanted
        if stamp.session_key not in open_keys or passwords.get(stamp.user_id) != stamp.password
    }


def _standing(stamps: Iterable[Stamp]) -> tuple[set[str], dict[int, str]]:
    """Return the sessions that are open, and the passwords of users who may log in: one query."""
    is_session, keys = is_any("session_key", {stamp.session_key for stamp in stamps}, "text")
    is_user, ids = is_any("id", {stamp.user_id for stamp in stamps}, "bigint")
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT session_key, NULL, NULL FROM django_session"  # noqa: S608
            f" WHERE {is_session} AND expire_date > %s"
            " UNION ALL SELECT NULL, id, password FROM accounts_user"
            f" WHERE {is_user} AND is_active",
            [keys, now, ids],
        )
        rows = cursor.fetchall()
    return {row[0] for row in rows if row[0]}, {row[1]: row[2] for row in rows if row[1]}


def _session_key(scope: dict[str, Any]) -> str | None:
    raw = dict(scope["headers"]).get(b"cookie", b"")
    try:
        cookies = SimpleCookie(raw.decode("latin-1"))
    except CookieError:
        return None
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    return morsel.value if morsel else None
