"""The URLs of the arena's pages and of its socket."""

from django.urls import path
from django.views.generic import RedirectView

from games.api.views import ADDRESSES
from games.arena import views
from games.arena.consumer import ArenaConsumer

urlpatterns = [
    path("arena/", views.arena, name="arena"),
    path("arena/rules/", views.rules, name="arena_rules"),
    path("arena/leaderboard/", views.leaderboard, name="arena_board"),
    path("arena/history/", views.history, name="arena_history"),
    path("arena/crowd.json", views.crowd, name="arena_crowd"),
    path("arena/report/", views.report, name="arena_report"),
    path("arena/rounds/<int:number>/", views.watch_round, name="arena_round"),
    path("arena/rounds/<int:number>/card.jpg", views.card, name="arena_round_card"),
    # The same answer at the address that the page of a round names.
    path(
        "arena/rounds/<str:round>/proof.json",
        ADDRESSES["api_round_proof"].callback,
        name="arena_round_proof",
    ),
    # Where the rules of all other games are.
    path("rules/arena/", RedirectView.as_view(pattern_name="arena_rules")),
]


sockets = [path("ws/arena/", ArenaConsumer.as_asgi())]
