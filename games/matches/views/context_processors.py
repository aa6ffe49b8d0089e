"""Template context of every page: the user's points, waiting tables, and the theme."""

from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import reverse

from economy.selectors import balance_of
from games import registry
from games.contract import Game
from games.matches.queries.addresses import list_url, rules_url
from games.matches.queries.attention import needs_of


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the balance (None for guests), what needs the user, and the theme.

    The theme is system, dark or light.
    """
    user = getattr(request, "user", None)
    games = [_listed(game, request.path) for game in registry.games()]
    common = {
        "games": games,
        "places": _places(games),
        "is_rules": request.path in {reverse("rules"), *(game["rules_url"] for game in games)},
        "site_url": _site_url(request),
    }
    if user is not None and user.is_authenticated:
        # A table's own page does not list the table itself.
        needs = [need for need in needs_of(user.pk) if need["url"] != request.path]
        return {
            **common,
            "balance": balance_of(user.pk),
            "needs_you": needs,
            "theme": user.theme,
        }
    return {**common, "balance": None, "needs_you": [], "theme": _cookie_theme(request)}


def _listed(game: Game, path: str) -> dict[str, Any]:
    """Return a game's entry in navigation and on the front page."""
    url, rules = list_url(game), rules_url(game)
    return {
        "slug": game.slug,
        "title": game.title,
        "plural": game.plural,
        "about": game.about,
        "icon": game.icon,
        "url": url,
        "rules_url": rules,
        "is_here": path.startswith(url) and path != rules,
    }


def _places(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the navigation entries; games that share a page appear once."""
    return list({game["url"]: game for game in reversed(games)}.values())[::-1]


def _site_url(request: HttpRequest) -> str:
    """Return scheme and host, empty for a host that is not allowed."""
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return ""


def _cookie_theme(request: HttpRequest) -> str:
    theme = request.COOKIES.get("theme", "system")
    return theme if theme in ("dark", "light") else "system"
