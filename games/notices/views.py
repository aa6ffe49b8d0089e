"""The pages of the games that wait for the user: all of them, and the next one."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.matches.queries import selectors
from games.matches.views import user_of
from games.notices.attention import next_turn, turns_of


@require_GET
@never_cache
@login_required
def turns(request: HttpRequest) -> HttpResponse:
    """Show all that waits for the user, by deadline."""
    return render(request, "games/notices/turns.html", {"turns": turns_of(user_of(request).pk)})


@require_GET
@never_cache
@login_required
def turn_next(request: HttpRequest) -> HttpResponse:
    """Redirect to the game that waits next after the one in ``after``; without one, to the list."""
    after = selectors.find_match(request.GET.get("after", ""))
    return redirect(next_turn(user_of(request).pk, after) or "turns")
