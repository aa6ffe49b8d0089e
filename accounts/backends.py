"""Who logs in with which password: at most one account is looked at, by one hash."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest

from accounts.models import User
from accounts.names import name_key


class OneHashBackend(AuthenticationBackend):
    """Log-in by name, or by an e-mail address that its owner has confirmed.

    Anybody may write anybody's address into a sign-up form, as often as they like; a confirmed one
    belongs to one account alone, which the database keeps.  Whatever is typed, one password is
    hashed, so that the time tells nothing.
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
    """Return whose confirmed e-mail address this is."""
    known = EmailAddress.objects.filter(email=address.lower(), verified=True)
    found = known.select_related("user").first()
    return found.user if found else None


def _meant(login: str) -> User | None:
    # A NUL is no part of a name, and PostgreSQL refuses to look for one.
    if "\0" in login:
        return None
    # No name has an "@" in it.
    if "@" in login:
        return owner_of(login)
    # Names that look alike share a key; only the one that was typed is meant.
    user = User.objects.filter(name_key=name_key(login)).first()
    return user if user and user.username.lower() == login.lower() else None
