"""Static text pages: rules, fair play, privacy, about; and robots.txt."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from economy.selectors import settings_starting
from games.matches.queries.standings import amounts

ROBOTS = """\
User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /start/
Disallow: /ws/
Disallow: /rpc/
"""


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """List the rules pages of all games."""
    return render(request, "pages/rules.html")


@require_GET
def fair_play(request: HttpRequest) -> HttpResponse:
    """Show the fair play page with the current settings."""
    numbers = settings_starting("")
    told = {
        "device_days": numbers["fair.device_days"],
        "pair_daily": numbers["fair.pair_daily"],
        "bots_daily": numbers["bots.daily_win_limit"],
        "new_accounts": numbers["fair.grant_accounts"],
        "new_points": numbers["fair.grant_points"],
        "timeouts": numbers["fair.timeouts"],
        "cool_down": numbers["fair.cool_down"],
        "stipend_floor": numbers["stipend.floor"],
        "stipend_amount": numbers["stipend.amount"],
        "prizes": amounts(),
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
    return render(request, "pages/about.html", {"contact": settings.SITE_CONTACT})


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")
