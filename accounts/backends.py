"""The parts of a log-in that settings name: its check, the password's hash, the session's store."""

from typing import Any, Final

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.db.models import BigIntegerField, CharField, DateTimeField, Subquery
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import BlockedName, User, forms_of, named
from accounts.names import name_key
from economy.models import Account
from economy.sql import Compiled, Given
from economy.transfers import user_owner
from economy.units import AccountKind, Unit


class OneHashBackend(AuthenticationBackend):
    """Log-in by name, or by a confirmed e-mail address: anybody can enter an unconfirmed one. A
    wrong password is hashed once in each of its forms, so that the time reveals nothing.
    """

    def authenticate(
        self, request: HttpRequest | None, **credentials: Any
    ) -> AbstractBaseUser | None:
        password = credentials.get("password")
        if not password:
            return None
        user = _meant(str(credentials.get("username") or credentials.get("email") or ""))
        if user is None:
            for _ in forms_of(password):
                self._mitigate_timing_attack(password)
            return None
        return self._check_password(user, password)

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a log-in, with ``points``: one query."""
        found = _LOGGED_IN.objects(User, user=user_id, owner=user_owner(user_id))
        user = next(iter(found), None)
        return user if user is not None and self.user_can_authenticate(user) else None


_POINTS: Final = Account.objects.filter(
    owner=Given("owner", CharField()), kind=AccountKind.WALLET, unit=Unit.POINT
).values("balance")
_LOGGED_IN: Final = Compiled(
    lambda: User.objects.annotate(points=Subquery(_POINTS)).filter(  # type: ignore[no-redef]
        pk=Given("user", BigIntegerField())
    )
)


def owner_of(address: str) -> User | None:
    """Return the user with this confirmed e-mail address."""
    known = EmailAddress.objects.filter(email=address.lower(), verified=True)
    found = known.select_related("user").first()
    return found.user if found else None


def _meant(login: str) -> User | None:
    # No name contains a NUL, and PostgreSQL refuses one in a query.
    if "\0" in login:
        return None
    # No name has an "@" in it.
    if "@" in login:
        return owner_of(login)
    user = User.objects.filter(named(login)).first()
    if user is None:
        # Who was renamed may not know the new name yet.
        taken = BlockedName.objects.filter(key=name_key(login), name__iexact=login)
        user = User.objects.filter(pk__in=taken.values("user"), warned_at__isnull=False).first()
    return user


class SiteArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters; Django's take nine times the processor time, which slows
    every live table.
    """

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1


_SESSION: Final = Compiled(
    lambda: Session.objects.filter(
        session_key=Given("key", CharField()), expire_date__gt=Given("now", DateTimeField())
    )
)


class SessionStore(db.SessionStore):
    """Django's store without the second save of unchanged data: the middleware saves only to send
    the cookie.
    """

    _written: str | None = None

    def _get_session_from_db(self) -> Session | None:
        found = _SESSION.objects(Session, key=self.session_key, now=timezone.now())
        if not found:
            self._session_key = None
        return next(iter(found), None)

    def save(self, must_create: bool = False) -> None:
        """Raises CreateError, UpdateError, or OperationalError for a busy database, which Django
        takes for a deleted session.
        """
        if must_create or self._contents() != self._written:
            away: BaseException | None = None
            try:
                super().save(must_create)
            except UpdateError as problem:
                away = problem.__context__
                if not isinstance(away, OperationalError):
                    raise
            if away is not None:
                raise away
            self._written = self._contents()

    def _contents(self) -> str:
        return repr((self.session_key, sorted(self.items())))
