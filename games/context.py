"""What every page knows: the user's points and the look."""

from typing import Any

from django.http import HttpRequest

from economy.selectors import balance_of


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the balance (None for guests) and the theme (system, dark or light)."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return {"balance": balance_of(user.pk), "theme": user.theme}
    return {"balance": None, "theme": _cookie_theme(request)}


def _cookie_theme(request: HttpRequest) -> str:
    theme = request.COOKIES.get("theme", "system")
    return theme if theme in ("dark", "light") else "system"
