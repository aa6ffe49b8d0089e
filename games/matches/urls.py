"""URL patterns of the pages of matches and of each game."""

from django.urls import include, path

from games import registry
from games.matches.queries.addresses import COMMON
from games.matches.views import site

urlpatterns = [
    *(path("", include(game.urls)) for game in registry.games() if game.urls),
    path("matches/<str:public_id>/", site.match, name=COMMON.match),
    path("play/<slug:slug>/", site.matches, name=COMMON.list),
    path("play/<slug:slug>/rules/", site.rules, name=COMMON.rules),
    path("play/<slug:slug>/new/", site.match_new, name="game_new"),
    path("rules/", site.text_page, {"template": "pages/rules.html"}, name="rules"),
    path("fair-play/", site.fair_play, name="fair_play"),
    path("privacy/", site.text_page, {"template": "pages/privacy.html"}, name="privacy"),
    path("about/", site.text_page, {"template": "pages/about.html"}, name="about"),
    path("robots.txt", site.robots, name="robots"),
    path("credits/", site.text_page, {"template": "credits.html"}, name="credits"),
]
