"""The addresses of the common Mafia pages and of the rules page of Agoran Mafia."""

from django.urls import include, path

from games.mafia.agora import views

urlpatterns = [
    path("", include("games.mafia.common.urls")),
    path("rules/agora/", views.rules_agora, name="rules_agora"),
]
