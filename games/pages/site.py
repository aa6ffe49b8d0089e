"""The pages of the lobby, the tables and the rules."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from economy.errors import LedgerError
from economy.selectors import balance_of
from games.kernel.errors import IllegalAction
from games.pages.board import PRIVATE, board_page, watched
from games.pages.forms import TableForm
from games.play import writing
from games.play.submissions import Submission
from games.reading import selectors, standings
from games.reading.addresses import match_url
from games.reading.commands import COMMAND_TABLE
from games.services import matches
from games.showdown.rules_page import weapon_table

#: The leaderboards, as the address names them and as the page does.
PERIODS = {"week": "This week", "last": "Last week", "all": "All time"}


@require_GET
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Show guests what this is, and users where to sit down."""
    user = request.user if isinstance(request.user, User) else None
    context = {
        "lobby": lobby(),
        "mine": mine(user) if user else {},
    }
    return render(request, "home.html", context)


@require_GET
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Show the open and running tables."""
    return render(request, "games/showdown/list.html", {"lobby": lobby()})


@require_http_methods(["GET", "POST"])
@login_required
def table_new(request: HttpRequest) -> HttpResponse:
    """Open a table with the chosen options, and go there."""
    form = TableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            match = matches.open_match(opened_by=_user(request), options=form.cleaned_data)
        except IllegalAction as problem:
            form.add_error(None, str(problem))
        else:
            return redirect("table", public_id=match.public_id)
    return render(request, "games/showdown/new.html", {"form": form})


@require_POST
@login_required
def table_with_bot(request: HttpRequest) -> HttpResponse:
    """Open a table for two with the usual options, sit down and ask a bot to join."""
    user = _user(request)
    try:
        match = matches.open_match(opened_by=user, options={"seats": 2})
    except IllegalAction as problem:
        messages.error(request, str(problem))
        return redirect("tables")
    view = selectors.match_view(selectors.snapshot_of(match), None)
    purse = min(view["you"]["default_purse"], max(1, balance_of(user.pk)))
    for number, action in enumerate(
        ({"kind": "sit", "seat": 0, "purse": purse}, {"kind": "add_bot"})
    ):
        try:
            writing.submit(Submission(match.pk, action, f"quick-{number}-start", user.pk))
        except (IllegalAction, LedgerError) as problem:
            messages.error(request, str(problem))
            break
    return redirect("table", public_id=match.public_id)


@require_GET
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a table as the viewer may see it; a match of another game is at its own address."""
    match = watched(request, public_id)
    if match.game != "showdown":
        return redirect(match_url(match))
    config = {"lobby_url": reverse("tables"), "rules_url": reverse("rules_showdown")}
    return board_page(request, match, "games/showdown/table.html", config)


@require_GET
def table_log(request: HttpRequest, public_id: str) -> HttpResponse:
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
    """Show who won most at Showdown tables: this week, the last one, of all time."""
    period = request.GET.get("period", "week")
    if period not in PERIODS:
        raise Http404
    context = standings.leaderboard(period, request.user.pk, timezone.now())
    return render(request, "games/leaderboard.html", {**context, "periods": PERIODS})


@require_GET
def rules_showdown(request: HttpRequest) -> HttpResponse:
    """Explain Showdown in plain words, with the weapons' table from the rules themselves."""
    context = {"weapon_table": weapon_table(), "commands": COMMAND_TABLE}
    return render(request, "games/showdown/rules.html", context)


@require_GET
def credits_page(request: HttpRequest) -> HttpResponse:
    """Name whose icons, fonts and code the pages use."""
    return render(request, "credits.html")


def lobby() -> dict[str, Any]:
    """Return the lists of a page that the lobby socket carries on."""
    return {"showdown": selectors.lobby(), "duel": selectors.duels()}


def mine(user: User) -> dict[str, Any]:
    """Return the matches of each game at which a user sits."""
    return {"showdown": selectors.tables_of(user), "duel": selectors.duels_of(user)}


def _user(request: HttpRequest) -> User:
    """Return who is logged in; only for views that require it."""
    assert isinstance(request.user, User)
    return request.user
