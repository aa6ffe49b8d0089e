"""The addresses of the common Mafia pages and of the rules page of Dynamite."""

from django.urls import include, path

from games.mafia.common.views import mafia_rules
from games.mafia.dynamite.commands import COMMANDS
from games.mafia.dynamite.town_config import size_table

#: The template of the rules page, and what it shows.
RULES = {
    "template": "games/dynamite/rules.html",
    "shown": {"sizes": size_table(), "commands": COMMANDS},
}

urlpatterns = [
    path("", include("games.mafia.common.urls")),
    path("rules/dynamite/", mafia_rules, RULES, name="rules_dynamite"),
]
