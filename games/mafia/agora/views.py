"""The page of Agoran Mafia's rules; the others are the house's."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.agora import town
from games.agora.commands import COMMANDS
from games.pages.board import award_numbers


@require_GET
def rules_agora(request: HttpRequest) -> HttpResponse:
    """Explain the game in plain words, with the table of roles from the rules themselves."""
    context = {"roles": town.role_table(), "commands": COMMANDS, "awards": award_numbers()}
    return render(request, "games/agora/rules.html", context)
