"""What others may know of users."""

from typing import Final

from django.http import HttpRequest

from accounts.models import Theme, User

THEME_COOKIE: Final = "theme"


def theme_of(request: HttpRequest) -> Theme:
    """How pages look for this visitor: by the account, else by the cookie."""
    user = getattr(request, "user", None)
    chosen = user.theme if isinstance(user, User) else request.COOKIES.get(THEME_COOKIE)
    return Theme(chosen) if chosen in Theme.values else Theme.SYSTEM
