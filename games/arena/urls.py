"""The addresses of the arena's pages."""

from django.urls import path

from games.arena import pages

urlpatterns = [
    path("arena/", pages.arena, name="arena"),
    path("arena/rules/", pages.rules, name="arena_rules"),
    path("arena/leaderboard/", pages.leaderboard, name="arena_board"),
    path("arena/history/", pages.history, name="arena_history"),
    path("arena/crowd.json", pages.crowd, name="arena_crowd"),
    path("arena/report/", pages.report, name="arena_report"),
    path("arena/rounds/<int:number>/", pages.round_proof, name="arena_round"),
]
