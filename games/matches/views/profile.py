"""A player's page: identity, ratings, records and last duels."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from accounts.models import User
from games.matches.queries import profiles


@require_GET
@never_cache
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's page; redirect a name in another case to the right spelling."""
    player = get_object_or_404(User, username__iexact=name, is_active=True)
    if player.username != name:
        return redirect("profile", name=player.username)
    viewer = request.user if isinstance(request.user, User) else None
    return render(request, "games/profile.html", profiles.profile_of(player, viewer))
