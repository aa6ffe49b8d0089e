"""The addresses of the common pages, and of those of each game."""

from django.urls import include, path

from games import catalog
from games.pages import play, profile, site, texts
from games.practice import pages as practice
from games.reading.addresses import COMMON

urlpatterns = [
    path("", site.home, name="home"),
    *(path("", include(game.urls)) for game in catalog.games() if game.urls),
    path("", include("games.contests.urls")),
    path("matches/<str:public_id>/", site.match, name=COMMON.match),
    path("matches/<str:public_id>/log.json", site.match_log, name="match_log"),
    path("seeds/<str:day>/<int:part>.json", site.seeds, name="seeds"),
    path("play/<slug:slug>/", play.matches, name=COMMON.list),
    path("play/<slug:slug>/new/", play.match_new, name="game_new"),
    path("practice/<slug:slug>/", practice.practice, name="practice"),
    path("practice/<slug:slug>/reel.json", practice.reel_moments, name="practice_reel"),
    path("start/<slug:slug>/", practice.start, name="start"),
    path("learn/", practice.learn, name="learn"),
    path("@<str:name>/", profile.profile, name="profile"),
    path("leaderboard/", site.leaderboard, name="leaderboard"),
    path("leaderboard/awards/", site.award_board, name="award_board"),
    path("rules/", texts.rules, name="rules"),
    path("fair-play/", texts.fair_play, name="fair_play"),
    path("privacy/", texts.privacy, name="privacy"),
    path("about/", texts.about, name="about"),
    path("robots.txt", texts.robots, name="robots"),
    path("credits/", site.credits_page, name="credits"),
]
