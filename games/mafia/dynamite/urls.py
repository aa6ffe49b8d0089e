"""The addresses of the house in which Dynamite is played, and of its rules."""

from django.urls import include, path

from games.mafia.dynamite import views

urlpatterns = [
    path("", include("games.mafia.common.urls")),
    path("rules/dynamite/", views.rules_dynamite, name="rules_dynamite"),
]
