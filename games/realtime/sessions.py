"""The log-in behind a socket, and whether it is still valid."""

import hashlib
import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import CharField, DateTimeField
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.tokens import find_token
from economy.sql import Compiled, Given, fetch, is_any
from games.realtime.origin import bearer_of

#: Upper bound on the cached log-ins.
MOST_KNOWN: Final = 20_000
#: The expiry of a session, in seconds since 1970, as SQL for each database.
_EXPIRY: Final = {
    "sqlite": "(julianday(expire_date) - 2440587.5) * 86400",
    "postgresql": "CAST(extract(epoch FROM expire_date) AS double precision)",
}


_SESSION: Final = Compiled(
    lambda: Session.objects.filter(
        session_key=Given("key", CharField()), expire_date__gt=Given("now", DateTimeField())
    ).values_list("session_data")
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A log-in as it was when the socket opened; ``password`` is the stored hash. A browser's has
    its session key, a program's the id of its token.
    """

    session_key: str
    user_id: int
    name: str
    password: str
    token_id: int | None = None


def name_of(session_key: str) -> str:
    """Return a session's name for other processes: a hash, since the key itself is a credential."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:32]


class BadToken(Exception):
    """A handshake or request carries a token that is unknown, revoked or of a banned user."""


def read_stamp(scope: dict[str, Any]) -> Stamp | None:
    """Return the log-in of a handshake's token, else of its cookie; None for a guest. Raises
    BadToken.
    """
    secret = bearer_of(dict(scope["headers"]))
    if secret is not None:
        return token_login(secret)[0]
    key = cookie_of(scope, settings.SESSION_COOKIE_NAME)
    if key is None:
        return None
    request = HttpRequest()
    request.session = session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    # Else the store would load it, by a statement that the ORM compiles for each socket.
    stored = _SESSION.rows(key=session.session_key, now=timezone.now())
    session._session_cache = session.decode(stored[0][0]) if stored else {}
    user = get_user(request)
    if not isinstance(user, User) or not user.is_active:
        return None
    return Stamp(key, user.pk, user.username, user.password)


def credential_of(scope: dict[str, Any]) -> str | None:
    """Return the name of a handshake's token or session, which is not looked up; None: a guest."""
    given = bearer_of(dict(scope["headers"])) or cookie_of(scope, settings.SESSION_COOKIE_NAME)
    return None if given is None else name_of(given)


def token_login(secret: str) -> tuple[Stamp, User]:
    """Return the log-in of a program's token, and its user; raises BadToken."""
    token = find_token(secret)
    if token is None:
        raise BadToken
    user = token.user
    return Stamp("", user.pk, user.username, user.password, token.pk), user


class LogIns:
    """A cache of valid log-ins, until the log-in number changes or they expire; for one thread."""

    def __init__(self) -> None:
        self._number = 0
        self._until: dict[Stamp, float] = {}

    def ended(self, stamps: Iterable[Stamp], number: int) -> set[Stamp]:
        """Return the log-ins that are no longer valid; one query for those not in the cache.
        ``number``: ``accounts.login_number``, read before or in the transaction.
        """
        if number != self._number or len(self._until) > MOST_KNOWN:
            self._number, self._until = number, {}
        now = time.time()
        in_doubt = {stamp for stamp in stamps if self._until.get(stamp, 0.0) <= now}
        if not in_doubt:
            return set()
        found = standing(in_doubt)
        self._until |= found
        return in_doubt - found.keys()


def ended(stamps: Iterable[Stamp]) -> set[Stamp]:
    """Return the log-ins with an ended session or token, a changed password or a banned user."""
    wanted = set(stamps)
    return wanted - standing(wanted).keys() if wanted else set()


def standing(stamps: Iterable[Stamp]) -> dict[Stamp, float]:
    """Return the valid log-ins, each with its expiry in seconds since 1970."""
    wanted = set(stamps)
    sessions, tokens, passwords = _found(wanted)
    return {
        stamp: sessions.get(stamp.session_key, math.inf)
        for stamp in wanted
        if (stamp.session_key in sessions or stamp.token_id in tokens)
        and passwords.get(stamp.user_id) == stamp.password
    }


def _found(stamps: Iterable[Stamp]) -> tuple[dict[str, float], set[int], dict[int, str]]:
    """Return open sessions, valid tokens, and passwords of active users: one query."""
    is_session, keys = is_any("session_key", {stamp.session_key for stamp in stamps}, "text")
    is_token, tokens = is_any("id", {stamp.token_id or 0 for stamp in stamps}, "bigint")
    is_user, users = is_any("id", {stamp.user_id for stamp in stamps}, "bigint")
    # PostgreSQL types a bare NULL as text.
    none = "CAST(NULL AS bigint)"
    # Raw SQL: the ORM took 6.6 times the time for 20 log-ins (SQLite; 5.6 on PostgreSQL;
    # 2026-11-27).
    rows = fetch(
        f"SELECT {_EXPIRY[connection.vendor]}, {none}, {none}, session_key"  # noqa: S608
        f" FROM django_session WHERE {is_session} AND expire_date > %s"
        f" UNION ALL SELECT NULL, id, {none}, NULL FROM accounts_apitoken"
        f" WHERE {is_token} AND revoked_at IS NULL"
        f" UNION ALL SELECT NULL, {none}, id, password FROM accounts_user"
        f" WHERE {is_user} AND is_active",
        [keys, timezone.now(), tokens, users],
    )
    return (
        {key: expiry for expiry, _, _, key in rows if expiry is not None},
        {token for _, token, _, _ in rows if token is not None},
        {user: password for _, _, user, password in rows if user is not None},
    )


def cookie_of(scope: dict[str, Any], name: str) -> str | None:
    raw = dict(scope["headers"]).get(b"cookie", b"")
    try:
        morsel = SimpleCookie(raw.decode("latin-1")).get(name)
    except CookieError:
        return None
    return morsel.value if morsel else None
