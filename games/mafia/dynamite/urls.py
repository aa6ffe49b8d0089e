"""The addresses of the house in which Dynamite is played, and of its rules."""

from django.urls import include, path

from games.dynamite import pages

urlpatterns = [
    path("", include("games.mafia.urls")),
    path("rules/dynamite/", pages.rules_dynamite, name="rules_dynamite"),
]
