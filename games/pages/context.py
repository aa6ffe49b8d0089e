"""What every page knows: the user's points, the tables that wait, and the look."""

from typing import Any

from django.http import HttpRequest

from economy.selectors import balance_of
from games.reading.needs import needs_of


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the balance (None for guests), what waits, and the theme (system, dark or light)."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        # A table need not be told of itself on its own page.
        needs = [need for need in needs_of(user.pk) if need["url"] != request.path]
        return {"balance": balance_of(user.pk), "needs_you": needs, "theme": user.theme}
    return {"balance": None, "needs_you": [], "theme": _cookie_theme(request)}


def _cookie_theme(request: HttpRequest) -> str:
    theme = request.COOKIES.get("theme", "system")
    return theme if theme in ("dark", "light") else "system"
