"""The addresses of the common Mafia pages and of the rules page of Dynamite."""

from django.urls import include, path

from games.mafia.dynamite import views

urlpatterns = [
    path("", include("games.mafia.common.urls")),
    path("rules/dynamite/", views.rules_dynamite, name="rules_dynamite"),
]
