"""What every page knows: the user's points, the tables that wait, the look and the games."""

from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from economy.selectors import balance_of
from games.reading.needs import needs_of

#: What pages say of each game, and the names of the addresses that belong to it.
_GAMES: Final[tuple[dict[str, Any], ...]] = (
    {
        "slug": "showdown",
        "title": "Showdown",
        "plural": "Tables",
        "about": "Weapons, bets and land mines for two to four.",
        "url": "tables",
        "rules_url": "rules_showdown",
        "icon": "layout-grid",
        "is_here": ("tables", "table", "table_new"),
    },
    {
        "slug": "duel",
        "title": "Duel",
        "plural": "Duels",
        "about": "Rock, paper, scissors between two.",
        "url": "duels",
        "rules_url": "rules_duel",
        "icon": "fist",
        "is_here": ("duels", "duel", "duel_new", "duels_api"),
    },
)


def games_of(request: HttpRequest) -> list[dict[str, Any]]:
    """Return what templates say of each game, with its addresses and its own templates."""
    here = getattr(request.resolver_match, "url_name", None)
    return [
        {
            **game,
            "url": reverse(game["url"]),
            "rules_url": reverse(game["rules_url"]),
            "list_template": f"games/{game['slug']}/_list.html",
            "recent_template": f"games/{game['slug']}/_recent.html",
            "is_here": here in game["is_here"],
        }
        for game in _GAMES
    ]


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the balance (None for guests), what waits, and the theme (system, dark or light)."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        # A table need not be told of itself on its own page.
        needs = [need for need in needs_of(user.pk) if need["url"] != request.path]
        known = {"balance": balance_of(user.pk), "needs_you": needs, "theme": user.theme}
    else:
        known = {"balance": None, "needs_you": [], "theme": _cookie_theme(request)}
    return {**known, "games": games_of(request)}


def _cookie_theme(request: HttpRequest) -> str:
    theme = request.COOKIES.get("theme", "system")
    return theme if theme in ("dark", "light") else "system"
