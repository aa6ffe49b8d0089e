"""The pages of Agoran Mafia: the lobby, a new game, the board, the story, the rules."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from games.agora import SLUG, showing
from games.agora.commands import COMMANDS
from games.agora.forms import AgoraForm
from games.grammar.telling import sentence
from games.kernel.errors import IllegalAction
from games.live.announce import tell_match
from games.mafia.opening import open_game
from games.mafia.story import chapters_of
from games.models import Match
from games.pages.board import PRIVATE, award_numbers, board_page, lobby, user_of, watched
from games.reading import selectors
from games.reading.addresses import match_url
from games.services.notebooks import notebook_of


@require_GET
@never_cache
def mafia(request: HttpRequest) -> HttpResponse:
    """Show the games that form, that run and that are over, and every way into one."""
    user = request.user if isinstance(request.user, User) else None
    context = {
        "lobby": lobby(),
        "mine": selectors.matches_of(user)[SLUG] if user else [],
        "finished": showing.finished(),
        "quick": showing.QUICK_OPTIONS,
    }
    return render(request, "games/agora/list.html", context)


@require_POST
@login_required
def mafia_quick(request: HttpRequest) -> HttpResponse:
    """Open a quick game with bots on all other seats, which begins at once; go there."""
    try:
        match, refusal = open_game(
            user=user_of(request), game=SLUG, options=showing.QUICK_OPTIONS, with_bots=True
        )
    except IllegalAction as problem:
        messages.error(request, sentence(str(problem)))
        return redirect("mafia")
    if refusal is not None:
        messages.error(request, sentence(str(refusal)))
    return _go_to(match)


@require_http_methods(["GET", "POST"])
@login_required
def mafia_new(request: HttpRequest) -> HttpResponse:
    """Open a game with the chosen options, sit down as far as one can, and go there."""
    form = AgoraForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            match, _ = open_game(user=user_of(request), game=SLUG, options=form.options())
        except IllegalAction as problem:
            form.add_error(None, sentence(str(problem)))
        else:
            return _go_to(match)
    return render(request, "games/agora/new.html", {"form": form})


@require_GET
def mafia_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a game's board; a match of another game is at its own address."""
    match = watched(request, public_id)
    if match.game != SLUG:
        return redirect(match_url(match))
    user = request.user if isinstance(request.user, User) else None
    config = {
        "lobby_url": reverse("mafia"),
        "rules_url": reverse("rules_agora"),
        "profile_url": reverse("profile", args=["NAME"]),
        "posts_url": reverse("mafia_posts", args=[public_id, "ROOM"]),
        "votes_url": reverse("mafia_votes", args=[public_id]),
        "report_url": reverse("mafia_report", args=[public_id, "ROOM", 0]),
        "notebook_url": reverse("mafia_notebook", args=[public_id]),
        "notebook": notebook_of(match, user) if user else None,
        "csrf": get_token(request) if user else None,
        "story_url": reverse("mafia_story", args=[public_id]),
    }
    return board_page(request, match, "games/agora/town.html", config)


@require_GET
def mafia_story(request: HttpRequest, public_id: str) -> HttpResponse:
    """Tell a finished game with all that was secret; before its end there is no such page."""
    match = watched(request, public_id)
    snapshot = None if match.is_live else selectors.snapshots([match.pk]).get(match.pk)
    if match.game != SLUG or snapshot is None or snapshot.state.play is None:
        raise Http404
    view = selectors.match_view(snapshot, None)
    headline, reason = showing.ending(view)
    context = {
        "match": match,
        "headline": headline,
        "reason": reason,
        "citizens": showing.citizens(view),
        "chapters": chapters_of(match),
    }
    response = render(request, "games/agora/story.html", context)
    response["Cache-Control"] = PRIVATE
    return response


@require_GET
def rules_agora(request: HttpRequest) -> HttpResponse:
    """Explain the game in plain words, with the table of roles from the rules themselves."""
    context = {"roles": showing.role_table(), "commands": COMMANDS, "awards": award_numbers()}
    return render(request, "games/agora/rules.html", context)


def _go_to(match: Match) -> HttpResponse:
    tell_match(match)
    return redirect("mafia_game", public_id=match.public_id)
