"""The pages of the Mafia games. The parameter ``setup`` is the slug of the game; the default is the
first game of the registry.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from economy.errors import LedgerError
from games import registry
from games.contract import TableGame
from games.engine.errors import IllegalAction
from games.engine.structs import kind_of
from games.engine.table.actions import TakeOver
from games.mafia.common.archive import newest
from games.mafia.common.game import ABSENCE
from games.mafia.common.postmortem import look_back, view_of_the_end
from games.mafia.common.town_config import TownConfig, town_configs, watched_town
from games.matches import services as matches
from games.matches.journal.story import StoryFact, whole_story
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.bots import BOT_NAMES
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.matches.queries.own import own_of
from games.matches.views import (
    PRIVATE,
    BoardPage,
    award_numbers,
    board_page,
    promised_salt,
    user_of,
    watched,
)
from games.people.profiles import LEAST_GAMES
from games.posts.notebooks import notebook_of
from games.reads.boards import reads_in_story
from games.realtime.runtime import tell
from games.text.answers import names_of
from games.text.telling import sentence


@require_GET
@never_cache
def mafia(request: HttpRequest) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    chosen = _chosen(request)[0].slug if "setup" in request.GET else ""
    shown = {slug: one for slug, one in town_configs().items() if chosen in ("", slug)}
    mine = selectors.rows_of(own_of(request)) if user else {}
    context = {
        "lobby": selectors.shown_lobby.seen_by(request.user.pk),
        "setups": town_configs().values(),
        "shown": shown.values(),
        "chosen": chosen,
        "mine": {slug: mine[slug] for slug in shown if mine.get(slug)},
        "finished": newest(list(shown), 10),
    }
    return render(request, "games/mafia/list.html", context)


@require_POST
@login_required
def mafia_quick(request: HttpRequest) -> HttpResponse:
    """Open a quick game with bots on all other seats, and go to its board; it begins at once."""
    (game, town), user = _chosen(request), user_of(request)
    try:
        match = matches.open_and_sit(opened_by=user, options=town.quick, game=game.slug)
    except IllegalAction as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("mafia")
    state = selectors.snapshot_of(match).state
    bots = _bots(game, request.POST.get("strength", ""), len(state.seats) - 1)
    ready = {"kind": "ready", "configuration": state.options_revision, **promised_salt(request)}
    try:
        for number, action in enumerate([*bots, ready]):
            writing.submit(Submission(match.pk, action, f"opening-{number}-mafia", user.pk))
    except (IllegalAction, LedgerError) as problem:
        # The user can continue at the board.
        messages.error(request, sentence(str(problem)))
    return _go_to(match)


def _bots(game: TableGame, strength: str, count: int) -> list[dict[str, Any]]:
    """Return the requests for bots; where too few have the strength, others come as well."""
    site, cast = BOT_NAMES[: settings.HOUSE_BOTS], game.bot.cast
    names = [name for name in site if name in cast and cast[name].strength == strength]
    chosen = random.sample(names, min(count, len(names)))
    named = [{"kind": "add_bot", "bot": name} for name in chosen]
    return [*named, *[{"kind": "add_bot"}] * (count - len(named))]


@require_http_methods(["GET", "POST"])
@login_required
def mafia_new(request: HttpRequest) -> HttpResponse:
    game, town = _chosen(request)
    rules = game.newest
    players = rules.min_seats, rules.max_seats, town.quick["seats"]
    form = town.form(request.POST or None, players=players)
    if request.method == "POST" and form.is_valid():
        try:
            match = matches.open_and_sit(
                opened_by=user_of(request),
                options=form.options(),
                game=game.slug,
                begins_at=form.cleaned_data["begins"],
            )
        except IllegalAction as problem:
            form.add_error(None, sentence(str(problem)))
        else:
            return _go_to(match)
    context = {
        "form": form,
        "game": game,
        "town": town,
        "setups": town_configs().values(),
        "casts": {no: town.cast(no) for no in range(rules.min_seats, rules.max_seats + 1)},
        "awards": award_numbers(request.user.pk),
    }
    return render(request, "games/mafia/new.html", context)


@require_GET
def mafia_game(request: HttpRequest, public_id: str, page: BoardPage = board_page) -> HttpResponse:
    """Show a game's board; redirect a match of another game to its own address."""
    match = watched(request, public_id, invites=True)
    if match.game not in town_configs():
        return redirect(match_url(match))
    game, _ = town_configs()[match.game]
    user = request.user if isinstance(request.user, User) else None
    config = {
        "lobby_url": reverse("mafia"),
        "like_it_url": f"{reverse('account_signup')}?next={reverse('mafia')}",
        "rules_url": reverse(game.address.rules),
        "posts_url": reverse("mafia_posts", args=[public_id, "ROOM"]),
        "votes_url": reverse("mafia_votes", args=[public_id]),
        "will_url": reverse("mafia_will", args=[public_id]),
        "report_url": reverse("mafia_report", args=[public_id, "ROOM", 0]),
        "notebook_url": reverse("mafia_notebook", args=[public_id]),
        "read_url": reverse("sealed_read", args=[public_id]),
        "notebook": notebook_of(match, user) if user else None,
        # Who sits down later sees it in the view.
        "keeps_notes": user is not None and selectors.has_played(match, user.pk),
        "csrf": get_token(request) if user else None,
        "quick_url": reverse("mafia_quick"),
        "story_url": reverse("mafia_story", args=[public_id]),
        "first_stage": game.newest.first_stage.value,
        "players": [game.newest.min_seats, game.newest.max_seats],
    }
    return page(request, match, game.template, config)


@require_GET
def mafia_story(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the story of a finished game with all secrets; 404 before the end."""
    match, town = watched_town(request, public_id)
    view = view_of_the_end(match)
    viewer = request.user if isinstance(request.user, User) else None
    headline, reason = town.ending_of(view)
    context = {
        "match": match,
        "headline": headline,
        "reason": reason,
        "fates": list(town.told_fates(view)),
        "chapters": chapters_of(match),
        "reads": reads_in_story(match, names_of(view), request.user.pk),
        "postmortem": look_back(match, town, view, viewer),
    }
    response = render(request, "games/mafia/story.html", context)
    response["Cache-Control"] = PRIVATE
    return response


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def open_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Offer the open seats of a match whose board is for players alone; else go to the board."""
    match, user = selectors.find_match(public_id), user_of(request)
    if match is None:
        raise Http404
    if selectors.may_watch(match, user.pk):
        return redirect(match_url(match))
    snapshot = selectors.snapshots([match.pk]).get(match.pk)
    if snapshot is None or not snapshot.open_seats:
        raise Http404
    seat = request.POST.get("seat", "")
    if request.method == "POST" and seat in {str(no) for no in snapshot.open_seats}:
        # A repeated request has the same action id: it takes the seat once.
        action_id = f"seat-{snapshot.match.phase}-{seat}-{user.pk}"
        action = {"kind": kind_of(TakeOver), "seat": int(seat)}
        try:
            writing.submit(Submission(match.pk, action, action_id, user.pk))
        except (IllegalAction, LedgerError) as problem:
            messages.error(request, sentence(str(problem)))
        else:
            return _go_to(match)
    seats = [(no, snapshot.sitters[no].name) for no in snapshot.open_seats]
    return render(request, "games/mafia/seat.html", {"match": match, "seats": seats})


@require_GET
def absence(request: HttpRequest) -> HttpResponse:
    return render(request, "games/mafia/absence.html", {**ABSENCE, "least_games": LEAST_GAMES})


@require_GET
def mafia_rules(request: HttpRequest, template: str, shown: Mapping[str, Any]) -> HttpResponse:
    """Show a game's rules page, with what its rules module gives."""
    return render(request, template, {**shown, "awards": award_numbers(request.user.pk)})


def _chosen(request: HttpRequest) -> tuple[TableGame, TownConfig]:
    """Return the game that the request names. Raises Http404."""
    slug = request.POST.get("setup") or request.GET.get("setup") or next(iter(town_configs()))
    if slug not in town_configs():
        raise Http404
    return town_configs()[slug]


def _go_to(match: Match) -> HttpResponse:
    tell([match.pk])
    return redirect("mafia_game", public_id=match.public_id)


#: Kind of the fact that begins a chapter -> the title and the look of the chapter.
CHAPTERS: Final = {
    "game_started": ("The deal", "deal"),
    "night_began": ("Night {round}", "night"),
    "day_began": ("Day {round}", "day"),
}
#: The kinds of facts that the page shows elsewhere or not at all.
UNTOLD: Final = frozenset(
    {"night_began", "day_began", "checked_in", "check_in_withdrawn", "will_written"}
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a post in ``room``; a secret one had a limited audience."""

    text: str
    name: str = ""
    room: str = ""
    number: int = 0
    is_secret: bool = False
    is_hidden: bool = False
    is_will: bool = False


@dataclass(slots=True)
class Chapter:
    title: str
    look: str
    lines: list[Line] = field(default_factory=list)


def chapters_of(match: Match) -> list[Chapter]:
    """Return the story of a match, from the deal on, with every secret. Raises ValueError for a
    live match.
    """
    if match.is_live:
        raise ValueError("a running match has secrets")
    chapters: list[Chapter] = []
    for fact in whole_story(match):
        if fact.kind in CHAPTERS:
            title, look = CHAPTERS[fact.kind]
            chapters.append(Chapter(title.format(round=fact.data.get("round")), look))
        line = _line(match, fact) if chapters and fact.kind not in UNTOLD else None
        if line is not None:
            chapters[-1].lines.append(line)
    return chapters


def _line(match: Match, fact: StoryFact) -> Line | None:
    is_secret = fact.audience is not None
    if fact.kind == "posted":
        data = fact.data
        name = fact.names.get(data["seat"], f"Seat {data['seat'] + 1}")
        flags = (data.get("is_hidden", False), data.get("is_will", False))
        return Line(data["text"], name, data["room"], data["no"], is_secret, *flags)
    text = fact.text or registry.table(match.game).speech.tell(fact.kind, fact.data, fact.names)
    return Line(text, is_secret=is_secret) if text else None
