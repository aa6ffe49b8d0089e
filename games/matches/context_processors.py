"""Template context of every page: games, the user's points, and the theme."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.oversight import unread_message
from accounts.settings_pages import DEFAULTS, FIRST, RAIL_PAGES, settings_rail
from games import registry
from games.contract import Game
from games.matches.queries.addresses import list_url, rules_url
from games.matches.queries.own import own_of


def site(request: HttpRequest) -> dict[str, Any]:
    # Pages of refusals may be made before the log-in is known.
    someone = getattr(request, "user", None)
    user = someone if isinstance(someone, User) else None
    theme = user.theme if user else request.COOKIES.get("theme")
    try:
        site_url = f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        site_url = ""
    here = request.resolver_match.url_name if request.resolver_match else None
    frame, own = _frame(registry.GAMES), own_of(request) if user else None
    return {
        **frame,
        "nav_here": _nav_here(request.path, here, frame["games"]),
        "site_url": site_url,
        "balance": own.balance if own else None,
        "in_play": own.in_play if own else 0,
        "streak": user.streak(timezone.now().date()) if user else 0,
        "staff_message": unread_message(user) if user and user.warned_at else None,
        "board_settings": {
            "url": reverse("board_setting") if user else None,
            "push_url": reverse("push_browser") if user else None,
            "values": {name: getattr(user, name, default) for name, default in DEFAULTS.items()},
        },
        "rail": settings_rail(user, here) if user and here in RAIL_PAGES else [],
        "is_first": here == FIRST,
        "theme": theme if theme in ("dark", "light") else "system",
    }


@cache
def _frame(_games: tuple[str, ...]) -> dict[str, Any]:
    """Return what all pages have in common with these games installed."""
    games = [_listed(game) for game in registry.games()]
    practices = [game.practice for game in registry.tables() if game.practice is not None]
    return {
        "games": games,
        # The navigation entries: games that share a page appear once.
        "places": list({game["url"]: game for game in reversed(games)}.values())[::-1],
        "lesson_url": reverse("learn") if any(found.lesson for found in practices) else "",
    }


def _nav_here(path: str, name: str | None, games: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the navigation's entries that lead to a page."""
    rules = reverse("rules")
    if name in ("home", "shop"):
        return [path]
    if path == rules or any(path == game["rules_url"] for game in games):
        return [rules]
    return sorted({game["url"] for game in games if path.startswith(game["heres"])})


def _listed(game: Game) -> dict[str, Any]:
    url = list_url(game)
    return {
        "slug": game.slug,
        "title": game.title,
        "plural": game.plural,
        "about": game.about,
        "icon": game.icon,
        "url": url,
        "rules_url": rules_url(game),
        # Contests are a tab of the pages of their games.
        "heres": (url, reverse("contests")) if getattr(game, "contest", None) else (url,),
    }
