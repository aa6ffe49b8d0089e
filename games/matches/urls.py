"""URL patterns of the pages of matches and of each game."""

from django.urls import include, path

from games import registry
from games.matches.queries.addresses import COMMON
from games.matches.views import match_lists, site

urlpatterns = [
    *(path("", include(game.urls)) for game in registry.games() if game.urls),
    path("matches/<str:public_id>/", site.match, name=COMMON.match),
    path("play/<slug:slug>/", match_lists.matches, name=COMMON.list),
    path("play/<slug:slug>/rules/", match_lists.rules, name=COMMON.rules),
    path("play/<slug:slug>/new/", match_lists.match_new, name="game_new"),
    path("rules/", site.rules, name="rules"),
    path("fair-play/", site.fair_play, name="fair_play"),
    path("privacy/", site.privacy, name="privacy"),
    path("about/", site.about, name="about"),
    path("robots.txt", site.robots, name="robots"),
    path("credits/", site.credits_page, name="credits"),
]
