"""The addresses of the duel pages, the rules page, and the calls of programs."""

from django.urls import path

from games.duel import SLUG, views
from games.jsonrpc import views as programs
from games.replays.views import replay_page

urlpatterns = [
    path("duels/", views.duels, name="duels"),
    path("duels/quick/", views.quick_duel, name="duel_quick"),
    path("duels/new/", views.duel_new, name="duel_new"),
    path("duels/challenge/", views.duel_challenge, name="duel_challenge"),
    path("duels/api/", programs.reference, {"slug": SLUG}, name="duels_api"),
    path("duels/habits/", views.duel_habits, name="duel_habits"),
    path("duels/habits/<str:name>/", views.duel_dossier, name="duel_dossier"),
    path("duels/boards/", views.duel_boards, name="duel_boards"),
    path("duels/challenges/", views.duel_challenges, name="duel_challenges"),
    path("duels/<str:public_id>/", views.duel, name="duel"),
    path("duels/<str:public_id>/replay/", views.duel, {"page": replay_page}, name="duel_watch"),
    path("duels/<str:public_id>/accept/", views.duel_accept, name="duel_accept"),
    path("duels/<str:public_id>/withdraw/", views.duel_withdraw, name="duel_withdraw"),
    path("duels/<str:public_id>/decline/", views.duel_decline, name="duel_decline"),
    path("rules/duel/", views.rules_duel, name="rules_duel"),
    path("rpc/", programs.rpc, {"slug": SLUG}, name="rpc"),
    path("rpc/openrpc.json", programs.openrpc, {"slug": SLUG}, name="openrpc"),
]
