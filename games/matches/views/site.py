"""Pages common to all games: matches, logs, seeds, leaderboards, profiles, texts."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from economy.selectors import grant_after
from games import registry
from games.matches.queries.addresses import COMMON, list_url, match_url, replay_url, rules_url
from games.matches.queries.shown_numbers import shown_numbers
from games.matches.views.board import BoardPage, asleep, board_page, watched

ROBOTS = """\
User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /start/
Disallow: /ws/
Disallow: /rpc/
"""


@require_GET
def match(request: HttpRequest, public_id: str, page: BoardPage = board_page) -> HttpResponse:
    """Show a match whose game has no page of its own, or cannot be played here now."""
    found = watched(request, public_id, invites=True)
    game = registry.find(found.game)
    if game is None:
        return asleep(request, found)
    if game.address.match != COMMON.match:
        return redirect(match_url(found) if page is board_page else replay_url(found))
    config = {
        "how": game.how,
        "lobby_url": list_url(game),
        "rules_url": rules_url(game),
    }
    return page(request, found, game.template, config)


@require_GET
def credits_page(request: HttpRequest) -> HttpResponse:
    """Show the credits of icons, fonts and code."""
    return render(request, "credits.html")


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """List the rules pages of all games."""
    return render(request, "pages/rules.html")


@require_GET
def fair_play(request: HttpRequest) -> HttpResponse:
    """Show the fair play page with the current settings."""
    numbers = shown_numbers("")
    told = {
        "device_days": numbers["fair.device_days"],
        "pair_daily": numbers["fair.pair_daily"],
        "pair_ever": numbers["fair.pair_ever"],
        "pair_ever_daily": numbers["fair.pair_ever_daily"],
        "bots_daily": numbers["bots.daily_win_limit"],
        "new_accounts": numbers["fair.grant_accounts"],
        "new_points": numbers["fair.grant_points"],
        "timeouts": numbers["fair.timeouts"],
        "cool_down": numbers["fair.cool_down"],
        "stipend_floor": numbers["stipend.floor"],
        "stipend_amount": numbers["stipend.amount"],
        "grant": numbers["grant.signup"],
        "grant_now": grant_after(0, numbers),
        "grant_games": numbers["grant.games"],
        "prizes": [numbers[f"prizes.{place}"] for place in ("first", "second", "third")],
    }
    context = {"numbers": told, "today": timezone.now().date().isoformat()}
    return render(request, "pages/fair_play.html", context)


@require_GET
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data is stored about users."""
    return render(request, "pages/privacy.html", {"contact": settings.SITE_CONTACT})


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    """Show the about page."""
    context = {"contact": settings.SITE_CONTACT, "version": settings.VERSION}
    return render(request, "pages/about.html", context)


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")
