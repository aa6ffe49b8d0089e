"""The front page, practice, the lesson, the start page, and the pages of the daily table."""

import json
from dataclasses import astuple
from functools import lru_cache
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.contrib.messages import get_messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_cookie

from accounts.models import User
from accounts.people import names_followed_by
from accounts.shared import Shared, Shown
from games import registry
from games.contract import Lesson, TableGame, TimedBots
from games.engine.facts import Instant, iso
from games.goals.reaching import DAILY, lines_after
from games.matches.models import DailyTable
from games.matches.queries import selectors
from games.matches.queries.addresses import list_url, rules_url
from games.matches.queries.commands import word_counts
from games.matches.queries.own import Own, own_of
from games.matches.views import PRIVATE, user_of
from games.people import activity
from games.practice import daily, tables
from games.practice.table_store import give_session, now
from games.practice.tables import Plan, PracticeTable, practice_of
from games.standings import boards

#: The most moments in a recording; it then begins again.
MOMENTS: Final = 60
#: Milliseconds between two samples.
STEP: Final = 400
#: The newest log lines shown with a moment.
LINES: Final = 2
_SEED: Final = "the game on the front page"
_BEGIN: Final = Instant(1_800_000_000_000)


@lru_cache(8)
def demo_of(slug: str, options: Any) -> str:
    """Return the moments of the game: a JSON list of [milliseconds, view]."""
    game = registry.table(slug)
    practice = practice_of(game)
    assert not isinstance(game.bot, TimedBots), "practice has no posts"
    lesson = Lesson(_SEED, game.bot, practice.options, practice.stock, practice.bots)
    table = PracticeTable(Plan(game, options, lesson), practice.watched_bot, _BEGIN)
    table.start(_BEGIN)
    moments: list[tuple[int, dict[str, Any]]] = []
    chance, now, shown = Random(_SEED), _BEGIN, _BEGIN
    while len(moments) < MOMENTS:
        view = table.view(None)
        view["log"] = view["log"][-LINES:]
        for seat in view["seats"]:
            seat["player"]["bot"] = True
        if not moments or view != moments[-1][1]:
            moments.append((now - shown, view))
            shown = now
        if table.state.is_finished:
            break
        now = Instant(now + STEP)
        table.tick(now)
        if table.is_waiting and chance.random() < STEP / 1_700:
            # For the seat of the person, as the game's bot decides.
            for number, action in enumerate(game.bot.choose(table.view(), chance)):
                asked = f"demo-{len(moments)}-{number}"
                if table.act(action, asked, table.match.phase, now).error is not None:
                    break
    return json.dumps(moments, separators=(",", ":"))


def config_of(plan: Plan, *, has_account: bool) -> dict[str, Any]:
    """Return the configuration of a practice board, for its script."""
    game, kind, is_lesson = plan.game, plan.kind, plan.lesson is not None
    again = [game.slug, *([kind] if kind and not is_lesson else [])]
    asked = f"?{urlencode({'bot': plan.bot})}" if plan.bot else ""
    choices = {} if is_lesson else tables.choices_of(game)
    return {
        "socket": f"/ws/practice/{game.slug}/" + (f"{kind}/" if kind else "") + asked,
        "bots": [[name, *astuple(who)] for name, who in choices.items()],
        "public_id": "practice",
        "name": None,
        "balance": None,
        "table_url": reverse("practice", args=again),
        "lobby_url": list_url(game),
        "rules_url": rules_url(game),
        "login_url": reverse("account_login"),
        "commands": word_counts(game.slug),
        **game.board,
        "practice": {
            "again_url": reverse("practice", args=again),
            "start_url": reverse("start", args=[game.slug]) if has_account else sign_up_url(game),
            "has_account": has_account,
            "lesson": kind if is_lesson else None,
            "strip": not is_lesson,
        },
    }


def sign_up_url(game: TableGame) -> str:
    """Return the address to sign up at that leads on to such a table for points."""
    after = urlencode({"next": reverse("start", args=[game.slug])})
    return f"{reverse('account_signup')}?{after}"


#: Seconds for which a browser may cache a guest's front page.
GUESTS_PAGE = 60
_activity: Final = Shared(lambda: Shown({"activity": activity.activity()}))


@require_GET
@vary_on_cookie
def home(request: HttpRequest) -> HttpResponse:
    """Show guests an introduction and a board, users the lists and theirs."""
    user = request.user if isinstance(request.user, User) else None
    if user is not None:
        response = render(request, "home.html", {**_common(request), **_own(request, user)})
        add_never_cache_headers(response)
        return response
    offered = [game for game in registry.tables() if game.practice is not None]
    door = next((game for game in offered if game.practice and game.practice.door), None)
    context = {
        **_common(request),
        "door": door and _door(request, door),
        "practices": [_listed(game) for game in offered if game is not door],
    }
    has_messages = bool(len(get_messages(request)))
    response = render(request, "home.html", context)
    if has_messages:
        add_never_cache_headers(response)
    else:
        # The browser may cache the page; the lobby socket updates the lists.
        patch_cache_control(response, private=True, max_age=GUESTS_PAGE)
    give_session(request, response)
    return response


def _common(request: HttpRequest) -> dict[str, Any]:
    """Return the lists, the activity, a recorded game if none runs, and the lesson's offer."""
    lists = selectors.shown_lobby.seen_by(request.user.pk)
    return {
        "lobby": lists,
        "demo": None if lists.is_watchable else _demo(),
        "activity": _activity.seen_by(request.user.pk),
        "has_lesson": "learned" not in request.COOKIES and tables.has_lesson(),
    }


def _own(request: HttpRequest, user: User) -> dict[str, Any]:
    """Return a user's games and rating; no recorded game for those who have played."""
    own = own_of(request)
    mine = selectors.rows_of(own)
    has_played = any(mine.values()) or user.daily_on is not None or user.seats.exists()
    shown: dict[str, Any] = {"demo": None} if has_played else {}
    return {
        **shown,
        "daily": _daily(own),
        "friends": _friends(user.pk),
        "mine": [row for rows in mine.values() for row in rows],
        "rating": boards.main_rating(own) if has_played else None,
    }


def _friends(user_id: int) -> list[tuple[str, bool]]:
    """Return the names of those whom a user follows, each with whether it is seen online."""
    here = {one.username for one in _activity.seen_by(user_id)["activity"].everybody}
    return [(name, name in here) for name in _followed.seen_by(user_id, user_id)]


_followed: Final = Shared(names_followed_by)


def _daily(own: Own) -> dict[str, Any] | None:
    if daily.daily_game() is None:
        return None
    is_done, squares = own.daily_net is not None, daily.squares(own.daily_marks)
    return {"url": reverse("daily"), "is_done": is_done, "squares": squares}


def _demo() -> dict[str, Any] | None:
    """Return the game whose recording stands in where no game can be watched."""
    for game in registry.tables():
        if game.practice is not None and game.practice.demo:
            return {"game": game, "script": game.practice.demo}
    return None


@require_GET
def practice(request: HttpRequest, slug: str, kind: str = "") -> HttpResponse:
    """Show a game's board against bots; the socket sets up the table."""
    game, bot = _game(slug), request.GET.get("bot", "")
    if kind == tables.LESSON or not tables.is_offered(game, kind, bot):
        raise Http404
    return _board(request, tables.plan_of(game, kind, bot))


@require_GET
def learn(request: HttpRequest) -> HttpResponse:
    """Show the lesson of the first game that has one."""
    for game in registry.tables():
        if tables.is_offered(game, tables.LESSON):
            return _board(request, tables.plan_of(game, tables.LESSON))
    raise Http404


@require_GET
@never_cache
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what an account changes, with a button that opens the same kind of table."""
    game = _game(slug)
    if not request.user.is_authenticated:
        return redirect(sign_up_url(game))
    return render(request, "games/start.html", {"game": game, "practice": game.practice})


def _board(request: HttpRequest, plan: Plan) -> HttpResponse:
    title = plan.title if plan.lesson else f"Practice: {plan.game.title}"
    context = {"title": title, **_practice_board(request, plan)}
    response = render(request, plan.game.template, context)
    response["Cache-Control"] = PRIVATE
    give_session(request, response)
    return response


def _practice_board(request: HttpRequest, plan: Plan) -> dict[str, Any]:
    at = now()
    table = PracticeTable(plan, tables.GUEST, at)
    # Show the started game, so that the socket's first view does not move the page.
    table.start(at)
    config = config_of(plan, has_account=request.user.is_authenticated)
    return board_of(table, at, config)


def board_of(table: PracticeTable, at: Instant, config: dict[str, Any]) -> dict[str, Any]:
    """Return what a board shows at first: the table's game, view and configuration."""
    view = table.view()
    # Offer no actions before the socket has set up the real table.
    view["you"] = {**view["you"], "may": []}
    initial_view = {"revision": 0, "now": iso(at), "view": view}
    return {"game": table.plan.game, "initial_view": initial_view, "table_config": config}


@require_GET
def demo_moments(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the moments of a recorded game between bots."""
    game = _game(slug)
    if game.practice is None or not game.practice.demo:
        raise Http404
    moments = demo_of(slug, tables.plan_of(game, "").options)
    headers = {"Cache-Control": "public, max-age=600"}
    return HttpResponse(moments, content_type="application/json", headers=headers)


def _door(request: HttpRequest, game: TableGame) -> dict[str, Any]:
    board = _practice_board(request, tables.plan_of(game, ""))
    # The page around the board explains practice.
    board["table_config"]["practice"]["strip"] = False
    return {"script": practice_of(game).door, **board}


def _listed(game: TableGame) -> dict[str, Any]:
    url = reverse("practice", args=[game.slug])
    return {"url": url, "icon": game.icon, "word": practice_of(game).about}


def _game(slug: str) -> TableGame:
    game = registry.find(slug)
    if not isinstance(game, TableGame) or game.practice is None:
        raise Http404
    return game


@require_GET
@never_cache
def daily_page(request: HttpRequest) -> HttpResponse:
    """Show today's table, the own result against all, and yesterday's results with the seed."""
    user = request.user if isinstance(request.user, User) else None
    day, before = daily.today(), daily.yesterday()
    play = daily.play_of(user.pk, day) if user else None
    context: dict[str, Any] = {
        "game": _daily_game(),
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
            "goal": lines_after([play.user_id], goal=DAILY, at__date=day).get(play.user_id),
        }
    return render(request, "pages/daily.html", context)


@require_POST
@login_required
def daily_start(request: HttpRequest) -> HttpResponse:
    """Begin today's play, or go back to it."""
    daily.begin(user_of(request), _daily_game())
    return redirect("daily_board")


@require_GET
@never_cache
@login_required
def daily_board(request: HttpRequest) -> HttpResponse:
    """Show the board of today's play as it stands; the socket updates it."""
    at = now()
    table = daily.table_of_today(user_of(request).pk, at)
    if table is None:
        return redirect("daily")
    game = table.plan.game
    config = config_of(table.plan, has_account=True)
    del config["bots"]
    url = reverse("daily")
    config |= {"socket": "/ws/daily/", "table_url": reverse("daily_board")}
    config["practice"] |= {
        "again_url": reverse("daily_board"),
        "again_word": "Load it again",
        "start_url": url,
        "start_word": ["About the daily table", "See your result"],
        "words": ["One try. Same deal and bots for everybody.", "Your result is in."],
    }
    context = {"title": table.match.title, **board_of(table, at, config)}
    return render(request, game.template, context)


def _daily_game() -> TableGame:
    game = daily.daily_game()
    if game is None:
        raise Http404
    return game
