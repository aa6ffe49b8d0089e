"""Template context of every page: what needs the user."""

from typing import Any

from django.http import HttpRequest

from accounts.models import User
from games.notices.attention import needs_of


def needs(request: HttpRequest) -> dict[str, Any]:
    """Return what needs the user; nothing for guests."""
    user = getattr(request, "user", None)
    return {"needs_you": needs_of(user.pk, request.path) if isinstance(user, User) else []}
