"""The pages of Showdown: the list of tables, a new one, the board, the rules."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from games.matches.models import Match
from games.matches.processing import writing
from games.matches.processing.bot_allowance import purse_among_bots
from games.matches.processing.submissions import Submission
from games.matches.queries.addresses import match_url
from games.matches.queries.selectors import lobby
from games.matches.services import matches
from games.matches.views.board import BoardPage, board_page, user_of, watched
from games.realtime.runtime import tell_match
from games.showdown import SLUG, seating
from games.showdown.commands import COMMANDS
from games.showdown.forms import TableForm
from games.showdown.rules_page import weapon_table
from games.text.telling import sentence

#: The antes of the quick seats, in points.
QUICK_ANTES: Final = (1, 5, 20)


@require_GET
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Show the open and running tables."""
    return render(request, "games/showdown/list.html", {"lobby": lobby(), "antes": QUICK_ANTES})


@require_http_methods(["GET", "POST"])
@login_required
def table_new(request: HttpRequest) -> HttpResponse:
    """Open a table with the chosen options, sit down, and go to its board."""
    form = TableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            match = matches.open_and_sit(
                opened_by=user_of(request), options=form.cleaned_data, game=SLUG
            )
        except (IllegalAction, LedgerError) as problem:
            form.add_error(None, sentence(str(problem)))
        else:
            return redirect("table", public_id=match.public_id)
    return render(request, "games/showdown/new.html", {"form": form})


@require_POST
@login_required
def table_quick(request: HttpRequest) -> HttpResponse:
    """Seat the user at the best open table with the ante that the button names, or at a new one."""
    given = request.POST.get("ante", "")
    ante = int(given) if given in map(str, QUICK_ANTES) else QUICK_ANTES[0]
    try:
        match = seating.seat_quickly(user=user_of(request), ante=ante)
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("tables")
    tell_match(match)
    return redirect("table", public_id=match.public_id)


@require_POST
@login_required
def table_with_bot(request: HttpRequest) -> HttpResponse:
    """Open a table for two with the ante that the button names, sit down and ask a bot to join."""
    user = user_of(request)
    options: dict[str, int] = {"seats": 2}
    if (given := request.POST.get("ante", "")) in map(str, QUICK_ANTES):
        options["ante"] = int(given)
    try:
        match = matches.open_and_sit(opened_by=user, options=options, game=SLUG)
    except (IllegalAction, LedgerError) as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("tables")
    purse = purse_among_bots(match, user.pk, timezone.now())
    refusal = _try(user, match, [{"kind": "bring", "purse": purse}, {"kind": "add_bot"}])
    if refusal is not None:
        messages.error(request, sentence(str(refusal)))
    return redirect("table", public_id=match.public_id)


def _try(
    user: User, match: Match, wanted: list[dict[str, Any]]
) -> IllegalAction | LedgerError | None:
    """Submit these actions at a new table one by one; return the first refusal."""
    for number, action in enumerate(wanted):
        try:
            writing.submit(Submission(match.pk, action, f"quick-{number}-start", user.pk))
        except (IllegalAction, LedgerError) as problem:
            return problem
    return None


@require_GET
def table(request: HttpRequest, public_id: str, page: BoardPage = board_page) -> HttpResponse:
    """Show a table by the viewer's view; redirect a match of another game to its own address."""
    match = watched(request, public_id, invites=True)
    if match.game != SLUG:
        return redirect(match_url(match))
    config = {"lobby_url": reverse("tables"), "rules_url": reverse("rules_showdown")}
    return page(request, match, "games/showdown/table.html", config)


@require_GET
def rules_showdown(request: HttpRequest) -> HttpResponse:
    """Show the rules in plain words, with the weapons' table from the rules module."""
    context = {"weapon_table": weapon_table(), "commands": COMMANDS}
    return render(request, "games/showdown/rules.html", context)
