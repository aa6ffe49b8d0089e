"""The addresses of the duels' pages, their rules, and of the calls of programs."""

from django.urls import path

from games.duel import pages
from games.duel.rpc import views as rpc_views

urlpatterns = [
    path("duels/", pages.duels, name="duels"),
    path("duels/quick/", pages.quick_duel, name="duel_quick"),
    path("duels/new/", pages.duel_new, name="duel_new"),
    path("duels/challenge/", pages.duel_challenge, name="duel_challenge"),
    path("duels/api/", pages.duels_api, name="duels_api"),
    path("duels/<str:public_id>/", pages.duel, name="duel"),
    path("duels/<str:public_id>/decline/", pages.duel_decline, name="duel_decline"),
    path("rules/duel/", pages.rules_duel, name="rules_duel"),
    path("rpc/", rpc_views.rpc, name="rpc"),
    path("rpc/openrpc.json", rpc_views.openrpc, name="openrpc"),
]
