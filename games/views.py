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
from games import runtime, selectors, standings
from games.commands import COMMAND_TABLE
from games.forms import TableForm
from games.models import Match
from games.rules.errors import IllegalAction
from games.rules.kernel import instant, iso
from games.rules_page import weapon_table
from games.services import matches, play
from games.services.submissions import Submission

PRIVATE = "no-store, private"
#: The leaderboards, as the address names them and as the page does.
PERIODS = {"week": "This week", "last": "Last week", "all": "All time"}


@require_GET
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Show guests what this is, and users where to sit down."""
    mine = selectors.tables_of(request.user) if request.user.is_authenticated else []
    return render(request, "home.html", {"lobby": {"tables": selectors.lobby()}, "mine": mine})


@require_GET
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Show the open and running tables."""
    return render(request, "tables/list.html", {"lobby": {"tables": selectors.lobby()}})


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
    return render(request, "tables/new.html", {"form": form})


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
            play.submit(Submission(match.pk, action, f"quick-{number}-start", user.pk))
        except (IllegalAction, LedgerError) as problem:
            messages.error(request, str(problem))
            break
    return redirect("table", public_id=match.public_id)


@require_GET
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a table as the viewer may see it; the socket carries on from there."""
    match = _watched(request, public_id)
    runtime.catch_up(match)
    snapshot = selectors.snapshot_of(match)
    seat = snapshot.seat_of(request.user.pk)
    here = selectors.presences([match.pk]).get(match.pk)
    view = selectors.match_view(snapshot, seat, here)
    context = {
        "title": match.title,
        "initial_view": {"revision": 0, "now": iso(instant(timezone.now())), "view": view},
        "table_config": _table_config(request, public_id),
    }
    response = render(request, "tables/table.html", context)
    response["Cache-Control"] = PRIVATE
    return response


@require_GET
def table_log(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a match's log: the public facts while it runs, all of them once it is over."""
    match = _watched(request, public_id)
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
    return render(request, "rules/showdown.html", context)


@require_GET
def credits_page(request: HttpRequest) -> HttpResponse:
    """Name whose icons, fonts and code the pages use."""
    return render(request, "credits.html")


def _user(request: HttpRequest) -> User:
    """Return who is logged in; only for views that require it."""
    assert isinstance(request.user, User)
    return request.user


def _table_config(request: HttpRequest, public_id: str) -> dict[str, Any]:
    address = reverse("table", args=[public_id])
    user = request.user if isinstance(request.user, User) else None
    return {
        "socket": f"/ws/match/{public_id}/",
        "public_id": public_id,
        "name": user.username if user else None,
        "balance": balance_of(user.pk) if user else None,
        "table_url": address,
        "lobby_url": reverse("tables"),
        "login_url": f"{reverse('account_login')}?next={address}",
        "rules_url": reverse("rules_showdown"),
    }


def _watched(request: HttpRequest, public_id: str) -> Match:
    match = selectors.find_match(public_id)
    if match is None or not selectors.may_watch(match, request.user.pk):
        raise Http404
    return match
