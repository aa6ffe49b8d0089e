"""The addresses of the house in which Agoran Mafia is played, and of its rules."""

from django.urls import include, path

from games.mafia.agora import views

urlpatterns = [
    path("", include("games.mafia.common.urls")),
    path("rules/agora/", views.rules_agora, name="rules_agora"),
]
