"""The pages of the daily table: the day's page, its start, the board."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from games.contract import TableGame
from games.engine.facts import instant, iso
from games.matches.models import DailyTable
from games.matches.views import user_of
from games.practice import daily
from games.practice.boards import config_of


@require_GET
@never_cache
def daily_page(request: HttpRequest) -> HttpResponse:
    """Show today's table, the own result against all, and yesterday's results with the seed."""
    user = request.user if isinstance(request.user, User) else None
    day, before = daily.today(), daily.yesterday()
    play = daily.play_of(user.pk, day) if user else None
    context: dict[str, Any] = {
        "game": _game(),
        "day": day,
        "play": play,
        "yesterday": DailyTable.objects.filter(day=before).first(),
        "results_before": daily.results(before),
    }
    if play is not None and play.net is not None:
        url = request.build_absolute_uri(reverse("daily"))
        context |= {
            "squares": daily.squares(play.marks),
            "place": daily.place_of(play),
            "results": daily.results(day),
            "shared": daily.shared(play, url),
        }
    return render(request, "pages/daily.html", context)


@require_POST
@login_required
def daily_start(request: HttpRequest) -> HttpResponse:
    """Begin today's play, or go back to it."""
    daily.begin(user_of(request), _game())
    return redirect("daily_board")


@require_GET
@never_cache
@login_required
def daily_board(request: HttpRequest) -> HttpResponse:
    """Show the board of today's play as it stands; the socket updates it."""
    play = daily.play_of(user_of(request).pk, daily.today())
    if play is None:
        return redirect("daily")
    at = instant(timezone.now())
    table = daily.rebuilt(play, at)
    view = table.view()
    # Offer no actions before the socket is there.
    view["you"] = {**view["you"], "may": []}
    game = table.plan.game
    config = config_of(game, "", has_account=True)
    url = reverse("daily")
    config |= {"socket": "/ws/daily/", "table_url": reverse("daily_board")}
    config["practice"] |= {
        "again_url": reverse("daily_board"),
        "again_word": "Load it again",
        "start_url": url,
        "start_word": ["About the daily table", "See your result"],
        "words": ["One try. Same deal and bots for everybody.", "Your result is in."],
    }
    context = {
        "game": game,
        "title": table.match.title,
        "initial_view": {"revision": 0, "now": iso(at), "view": view},
        "table_config": config,
    }
    return render(request, game.template, context)


def _game() -> TableGame:
    game = daily.daily_game()
    if game is None:
        raise Http404
    return game
