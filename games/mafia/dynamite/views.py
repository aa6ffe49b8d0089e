"""The page of Dynamite's rules; the others are in ``mafia.common``."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.mafia.dynamite import town_config
from games.mafia.dynamite.commands import COMMANDS
from games.matches.views.board import award_numbers


@require_GET
def rules_dynamite(request: HttpRequest) -> HttpResponse:
    """Explain the game in plain words, with the sizes of teams from the rules themselves."""
    context = {"sizes": town_config.size_table(), "commands": COMMANDS, "awards": award_numbers()}
    return render(request, "games/dynamite/rules.html", context)
