"""The rules page of Dynamite; the other pages are in ``mafia.common``."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.mafia.dynamite import town_config
from games.mafia.dynamite.commands import COMMANDS
from games.matches.views import award_numbers


@require_GET
def rules_dynamite(request: HttpRequest) -> HttpResponse:
    """Show the rules in plain words, with the team sizes from the rules module."""
    context = {"sizes": town_config.size_table(), "commands": COMMANDS, "awards": award_numbers()}
    return render(request, "games/dynamite/rules.html", context)
