"""The pages that no game has for itself: home, a match's log, the leaderboard, the credits."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User
from games import catalog
from games.pages.board import PRIVATE, board_page, lobby, watched
from games.reading import selectors, standings
from games.reading.addresses import COMMON, match_url

#: The leaderboards, as the address names them and as the page does.
PERIODS = {"week": "This week", "last": "Last week", "all": "All time"}


@require_GET
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Show guests what this is, and users where to sit down."""
    user = request.user if isinstance(request.user, User) else None
    mine = selectors.matches_of(user) if user else {}
    return render(request, "home.html", {"lobby": lobby(), "mine": mine})


@require_GET
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a match whose game has no page of its own, or is not played here at the moment."""
    found = watched(request, public_id)
    game = catalog.find(found.game)
    if game is None:
        return render(request, "games/asleep.html", {"match": found}, status=503)
    if game.address.match != COMMON.match:
        return redirect(match_url(found))
    return board_page(request, found, game.template, {})


@require_GET
def match_log(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a match's log: the public facts while it runs, all of them once it is over."""
    match = watched(request, public_id)
    facts = selectors.public_log(match) if match.is_live else selectors.full_log(match)
    body: dict[str, Any] = {
        "public_id": match.public_id,
        "status": match.status,
        "commitment": match.seed_commitment,
        "seed": None if match.is_live else match.seed,
        "events": facts,
    }
    return JsonResponse(body, headers={"Cache-Control": PRIVATE})


@require_GET
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show who won most in the games on the board: this week, the last one, of all time."""
    period = request.GET.get("period", "week")
    if period not in PERIODS:
        raise Http404
    context = standings.leaderboard(period, request.user.pk, timezone.now())
    return render(request, "games/leaderboard.html", {**context, "periods": PERIODS})


@require_GET
def credits_page(request: HttpRequest) -> HttpResponse:
    """Name whose icons, fonts and code the pages use."""
    return render(request, "credits.html")
