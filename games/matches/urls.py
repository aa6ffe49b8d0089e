"""URL patterns of the pages of matches and of each game."""

from django.urls import include, path

from games import registry
from games.matches import views
from games.matches.queries.addresses import COMMON

urlpatterns = [
    *(path("", include(game.urls)) for game in registry.games() if game.urls),
    path("matches/<str:public_id>/", views.match, name=COMMON.match),
    path("play/<slug:slug>/", views.matches, name=COMMON.list),
    path("play/<slug:slug>/rules/", views.rules, name=COMMON.rules),
    path("play/<slug:slug>/new/", views.match_new, name="game_new"),
    path("rules/", views.text_page, {"template": "pages/rules.html"}, name="rules"),
    path("fair-play/", views.fair_play, name="fair_play"),
    path("privacy/", views.text_page, {"template": "pages/privacy.html"}, name="privacy"),
    path("about/", views.text_page, {"template": "pages/about.html"}, name="about"),
    path("robots.txt", views.robots, name="robots"),
    path("credits/", views.text_page, {"template": "credits.html"}, name="credits"),
]
