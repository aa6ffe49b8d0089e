"""URL patterns of turns."""

from django.urls import path

from games.notices import views

urlpatterns = [
    path("turns/", views.turns, name="turns"),
    path("turns/next/", views.turn_next, name="turn_next"),
]
