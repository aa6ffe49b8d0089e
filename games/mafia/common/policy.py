"""The page on absence from a Mafia game.
Source: docs/explanation/agora.md "Absence".
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.mafia.common.rules.roster import MOST_IDLE
from games.people.profiles import LEAST_GAMES


@require_GET
def absence(request: HttpRequest) -> HttpResponse:
    """Show when a seat is offered, who may take it over, and the cost of absence."""
    context = {"most_idle": MOST_IDLE, "least_games": LEAST_GAMES}
    return render(request, "games/mafia/absence.html", context)
