"""The leaderboards: points, ratings, awards."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.matches.queries import ratings
from games.standings import award_boards, boards

#: The leaderboards: value in the URL -> label on the page.
PERIODS = {"week": "This week", "last": "Last week", "all": "All time"}

#: The rankings of awards: value in the URL -> label on the page.
AXES = {
    award_boards.By.X: "By points",
    award_boards.By.Y: "By prestige",
    award_boards.By.MODULUS: "By total",
}


@require_GET
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show the leaderboard of this week, last week or all time, or of a game's ratings."""
    period, rating = request.GET.get("period", "week"), request.GET.get("rating", "")
    rated = {name: title for name, (title, *_) in ratings.pools().items()}
    if period not in PERIODS or (rating and rating not in rated):
        raise Http404
    context: dict[str, Any] = {"periods": PERIODS, "rated": rated, "rating": rating}
    if rating:
        programs = request.GET.get("of") == "programs"
        found = boards.shown_leaders.seen_by(request.user.pk, rating, programs)
        context |= {"programs": programs, "leaders": found, "settled": ratings.SETTLED_GAMES}
    else:
        whole = boards.shown_board.seen_by(request.user.pk, period)
        context |= boards.seen_by(whole, request.user.pk)
    return render(request, "games/standings/leaderboard.html", context)


@require_GET
@never_cache
def award_board(request: HttpRequest) -> HttpResponse:
    try:
        by = award_boards.By(request.GET.get("by", award_boards.By.X))
    except ValueError:
        raise Http404 from None
    context = {**award_boards.leaderboard(by, request.user.pk), "axes": AXES}
    return render(request, "games/standings/awards.html", context)
