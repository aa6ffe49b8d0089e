"""The authentication backend: it checks at most one account, with one hash."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from accounts.models import BlockedName, User, named
from accounts.names import name_key


class OneHashBackend(AuthenticationBackend):
    """Log-in by name, or by an e-mail address that its owner has confirmed.

    Unconfirmed addresses do not count, because anybody can enter any address when signing up; the
    database keeps confirmed ones unique.  Every attempt hashes exactly one password, so that the
    time reveals nothing.
    """

    def authenticate(
        self, request: HttpRequest | None, **credentials: Any
    ) -> AbstractBaseUser | None:
        password = credentials.get("password")
        if not password:
            return None
        user = _meant(str(credentials.get("username") or credentials.get("email") or ""))
        if user is None:
            self._mitigate_timing_attack(password)
            return None
        return self._check_password(user, password)


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
