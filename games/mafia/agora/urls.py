"""The addresses of the common Mafia pages and of the rules page of Agoran Mafia."""

from django.urls import include, path

from games.mafia.agora.commands import COMMANDS
from games.mafia.agora.town_config import role_table
from games.mafia.common.views import mafia_rules

#: The template of the rules page, and what it shows.
RULES = {
    "template": "games/agora/rules.html",
    "shown": {"roles": role_table(), "commands": COMMANDS},
}

urlpatterns = [
    path("", include("games.mafia.common.urls")),
    path("rules/agora/", mafia_rules, RULES, name="rules_agora"),
]
