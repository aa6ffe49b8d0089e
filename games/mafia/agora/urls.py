"""The addresses of the house in which Agoran Mafia is played, and of its rules."""

from django.urls import include, path

from games.agora import pages

urlpatterns = [
    path("", include("games.mafia.urls")),
    path("rules/agora/", pages.rules_agora, name="rules_agora"),
]
