"""The addresses of the common pages, and of those of each game."""

from django.urls import include, path

from games import catalog
from games.pages import play, profile, site
from games.reading.addresses import COMMON

urlpatterns = [
    path("", site.home, name="home"),
    *(path("", include(game.urls)) for game in catalog.games() if game.urls),
    path("matches/<str:public_id>/", site.match, name=COMMON.match),
    path("matches/<str:public_id>/log.json", site.match_log, name="match_log"),
    path("play/<slug:slug>/", play.matches, name=COMMON.list),
    path("play/<slug:slug>/new/", play.match_new, name="game_new"),
    path("@<str:name>/", profile.profile, name="profile"),
    path("leaderboard/", site.leaderboard, name="leaderboard"),
    path("credits/", site.credits_page, name="credits"),
]
