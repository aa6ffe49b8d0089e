"""The pages that no game has for itself: home, logs, seeds, the leaderboard, the credits."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.messages import get_messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_cookie

from accounts.models import User
from games import catalog
from games.pages.board import PRIVATE, asleep, board_page, lobby, watched
from games.practice import pages as practice
from games.practice.sessions import give_session
from games.reading import awards, selectors, standings
from games.reading.addresses import COMMON, match_url
from games.reading.seeds import seeds_of

#: Seconds for which a browser may keep a guest's front page.
GUESTS_PAGE = 60
#: The leaderboards, as the address names them and as the page does.
PERIODS = {"week": "This week", "last": "Last week", "all": "All time"}

#: By what awards are ranked.
AXES = {awards.By.X: "By x", awards.By.Y: "By y", awards.By.MODULUS: "By |x + yi|"}


@require_GET
@vary_on_cookie
def home(request: HttpRequest) -> HttpResponse:
    """Show guests what this is and let them play, and users where to sit down."""
    user = request.user if isinstance(request.user, User) else None
    if user is not None:
        context = {**_common(request), "mine": selectors.matches_of(user)}
        response = render(request, "home.html", context)
        add_never_cache_headers(response)
        return response
    context = {**_common(request), "mine": {}, **practice.on_the_front_page(request)}
    has_messages = bool(len(get_messages(request)))
    response = render(request, "home.html", context)
    if has_messages:
        add_never_cache_headers(response)
    else:
        # The browser may keep it a while; the lists are brought up to date by their socket.
        patch_cache_control(response, private=True, max_age=GUESTS_PAGE)
    give_session(request, response)
    return response


def _common(request: HttpRequest) -> dict[str, Any]:
    """Return what is on, a recorded game while nothing is, and whether to offer the lesson."""
    lists = lobby()
    return {
        "lobby": lists,
        "reel": None if any(lists.values()) else practice.reel(),
        "has_lesson": practice.lesson_is_offered(request),
    }


@require_GET
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a match whose game has no page of its own, or is not played here at the moment."""
    found = watched(request, public_id)
    game = catalog.find(found.game)
    if game is None:
        return asleep(request, found)
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
def seeds(request: HttpRequest, day: str, part: int) -> HttpResponse:
    """Return the commitments of a day, a thousand a part, with what became of each."""
    try:
        return JsonResponse(seeds_of(date.fromisoformat(day), part))
    except (ValueError, OverflowError):
        raise Http404 from None


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
@never_cache
def award_board(request: HttpRequest) -> HttpResponse:
    """Show who was awarded most by rated games of Mafia: on either axis, and on both together."""
    try:
        by = awards.By(request.GET.get("by", awards.By.X))
    except ValueError:
        raise Http404 from None
    context = {**awards.leaderboard(by, request.user.pk), "axes": AXES}
    return render(request, "games/awards.html", context)


@require_GET
def credits_page(request: HttpRequest) -> HttpResponse:
    """Name whose icons, fonts and code the pages use."""
    return render(request, "credits.html")
