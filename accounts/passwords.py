"""Asking an administrator's password again before something grave."""

import time
from typing import ClassVar, Final

from django.core.cache import cache
from django.http import HttpRequest

from economy.errors import AdminActionError

#: Seconds for which a password counts as just entered.
RECENT: Final = 600
#: So many wrong ones in a quarter of an hour.
TRIES: Final = 5
_PERIOD: Final = 900
_KEY: Final = "password_entered_at"


class PasswordWrong(AdminActionError):
    """The password is missing or wrong."""

    code: ClassVar[str] = "password"


class TooManyPasswords(AdminActionError):
    """Too many wrong passwords; wait a quarter of an hour."""

    code: ClassVar[str] = "rate_limited"


def is_recent(request: HttpRequest) -> bool:
    """Say whether the password was entered in this session within ten minutes."""
    entered_at = request.session.get(_KEY)
    return isinstance(entered_at, int) and 0 <= time.time() - entered_at < RECENT


def require_password(request: HttpRequest, password: str) -> None:
    """Check the password of whoever asks, unless it was entered a moment ago.

    Raises:
        PasswordWrong: it is missing or wrong.
        TooManyPasswords: five wrong ones within a quarter of an hour.
    """
    if is_recent(request):
        return
    key = f"admin-password:{request.user.pk}"
    if cache.get(key, 0) >= TRIES:
        raise TooManyPasswords("too many wrong passwords, wait a quarter of an hour")
    if not password or not request.user.check_password(password):
        cache.add(key, 0, _PERIOD)
        cache.incr(key)
        raise PasswordWrong("the password is missing or wrong")
    cache.delete(key)
    request.session[_KEY] = int(time.time())
