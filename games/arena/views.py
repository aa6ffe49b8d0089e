"""The pages of the arena: itself, its rules, its leaderboard, a user's rounds."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from economy.selectors import grant_after
from games.arena import SLUG, guests, queries, words
from games.arena.commands import COMMANDS
from games.arena.rules.moves import MOVES
from games.engine.errors import BadField, IllegalAction
from games.engine.facts import instant, iso
from games.matches.views import PRIVATE, shown_numbers, user_of
from games.moderation.reports import reason_of, report_player
from games.replays.card_image import CardText, card_answer

#: The leaderboards: the name in the URL, and the title on the page.
PERIODS: Final = {"today": "Today", "all": "All time"}
FIGURES: Final = {"score": "Score", "best_streak": "Best streak", "round_wins": "Rounds won"}
SOCKET: Final = "/ws/arena/"


@require_GET
def arena(request: HttpRequest) -> HttpResponse:
    """Show the viewer's view of the arena; the socket updates it."""
    user = request.user if isinstance(request.user, User) else None
    numbers = shown_numbers("", request.user.pk)
    view = {
        "type": "arena",
        "revision": 0,
        "now": iso(instant(timezone.now())),
        "arena": queries.public_view(request.user.pk),
        "you": queries.own_view(user) if user else None,
        "guest": None if user else guests.shown(guests.Guest(), numbers["arena.guest_rounds"]),
    }
    context = {"initial_view": view, "arena_config": _config(request, user, numbers)}
    response = render(request, "games/arena/arena.html", context)
    response["Cache-Control"] = PRIVATE
    return response


@require_GET
def rules(request: HttpRequest) -> HttpResponse:
    """Explain the arena in plain words, with a calculator."""
    return render(request, "games/arena/rules.html", {"commands": COMMANDS})


@require_GET
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    period, by = request.GET.get("period", "today"), request.GET.get("by", "score")
    if period not in PERIODS or by not in FIGURES:
        raise Http404
    rows = queries.board(period, by)
    name = request.user.get_username()
    context = {
        "period": period,
        "by": by,
        "periods": PERIODS,
        "figures": FIGURES,
        "title": f"{FIGURES[by]}, {PERIODS[period].lower()}",
        "rows": rows,
        "mine": next((row for row in rows if row["name"] == name), None),
    }
    return render(request, "games/arena/leaderboard.html", context)


@require_GET
@never_cache
@login_required
def history(request: HttpRequest) -> HttpResponse:
    fights = queries.history(user_of(request))
    return render(request, "games/arena/history.html", {"fights": fights})


@require_GET
def watch_round(request: HttpRequest, number: int) -> HttpResponse:
    """Show all public data of a resolved round, and how to verify its draws; with ``as``, the name
    of a player, also what the round was for that player.
    """
    name = request.GET.get("as", "")[:20]
    shown = queries.round_shown(number)
    if shown is None:
        raise Http404
    fight = queries.fight_shown(number, name)
    frame = queries.floor_shown(number, fight)
    seen_by = f"?{urlencode({'as': fight['name']})}" if fight else ""
    context = {
        "round": shown,
        "card": {
            "url": f"{reverse('arena_round_card', args=[number])}{seen_by}",
            "words": words.headline(number, frame["arena"]["reason"], fight),
        },
        "moves": [
            {
                "name": move.value,
                "count": shown["counts"][move.value],
                "results": [shown["table"][move.value][other.value] for other in MOVES],
                **shown["per_move"][move.value],
            }
            for move in MOVES
        ],
        "options_on": [name for name, is_on in shown["options"].items() if is_on],
        "eyes": name,
        "fight": fight,
        "frame": frame,
        "floor_config": {
            "replay": True,
            "name": fight and fight["name"],
            "words": {SLUG: words.BOARD},
        },
        **queries.neighbours(number),
    }
    return render(request, "games/arena/round.html", context)


@require_GET
def card(request: HttpRequest, number: int) -> HttpResponse:
    """Return the preview card of a resolved round, with ``as`` a player's; 429 for too many."""
    shown = queries.round_shown(number)
    if shown is None:
        raise Http404
    fight = queries.fight_shown(number, request.GET.get("as", "")[:20])
    arena = queries.floor_shown(number, fight)["arena"]
    players = f"{shown['players']:,} players, {shown['people']:,} of them people"
    text = CardText(words.headline(number, arena["reason"], fight), players, "Arena")
    return card_answer(f"{SLUG}/{number}", hashlib.sha256(repr(text).encode()).hexdigest(), text)


@require_GET
@never_cache
def crowd(request: HttpRequest) -> JsonResponse:
    """Return the numbers of people and bots who are in, for other pages."""
    return JsonResponse(queries.crowd())


@require_POST
@login_required
def report(request: HttpRequest) -> JsonResponse:
    """Report a user's name to the administrators."""
    name = request.POST.get("name", "")
    try:
        reason = reason_of(request.POST.get("reason", ""))
        if not User.objects.filter(username=name, is_bot=False).exists():
            return JsonResponse({"reported": False}, status=404)
        report_player(user=user_of(request), name=name, reason=reason)
    except IllegalAction as problem:
        status = 400 if isinstance(problem, BadField) else 409
        return JsonResponse({"reported": False, "message": problem.message}, status=status)
    return JsonResponse({"reported": True})


def _config(request: HttpRequest, user: User | None, numbers: Mapping[str, int]) -> dict[str, Any]:
    here = reverse("arena")
    return {
        "socket": SOCKET,
        "name": user.username if user else None,
        "login_url": f"{reverse('account_login')}?next={here}",
        "signup_url": f"{reverse('account_signup')}?next={here}",
        "grant": grant_after(0, numbers),
        "rules_url": reverse("arena_rules"),
        "board_url": reverse("arena_board"),
        "history_url": reverse("arena_history"),
        "profile_url": reverse("profile", args=["NAME"]),
        "report_url": reverse("arena_report"),
        "csrf": get_token(request),
        "plain_rounds": numbers["arena.plain_rounds"],
        "words": {SLUG: words.BOARD},
    }
