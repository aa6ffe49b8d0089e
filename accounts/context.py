"""What every page knows of its visitor."""

from typing import Any

from django.http import HttpRequest

from accounts.models import User
from accounts.selectors import theme_of
from economy.selectors import balance_of


def visitor(request: HttpRequest) -> dict[str, Any]:
    """The theme, and the balance in points (None for a guest), for every template."""
    user = getattr(request, "user", None)
    balance = balance_of(user.pk) if isinstance(user, User) else None
    return {"theme": theme_of(request).value, "balance": balance}
