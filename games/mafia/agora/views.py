"""The rules page of Agoran Mafia; the other pages are in ``mafia.common``."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.mafia.agora import town_config
from games.mafia.agora.commands import COMMANDS
from games.matches.views import award_numbers


@require_GET
def rules_agora(request: HttpRequest) -> HttpResponse:
    """Show the rules in plain words, with the table of roles from the rules module."""
    context = {"roles": town_config.role_table(), "commands": COMMANDS, "awards": award_numbers()}
    return render(request, "games/agora/rules.html", context)
