"""The addresses of the lobby, the tables, the duels, the profiles, the shop and the rules."""

from django.urls import path

from games.duel import pages
from games.duel.rpc import views as rpc_views
from games.pages import profile, site
from games.showdown import shop_pages

urlpatterns = [
    path("", site.home, name="home"),
    path("tables/", site.tables, name="tables"),
    path("tables/new/", site.table_new, name="table_new"),
    path("tables/with-a-bot/", site.table_with_bot, name="table_with_bot"),
    path("tables/<str:public_id>/", site.table, name="table"),
    path("tables/<str:public_id>/log.json", site.table_log, name="table_log"),
    path("duels/", pages.duels, name="duels"),
    path("duels/quick/", pages.quick_duel, name="duel_quick"),
    path("duels/new/", pages.duel_new, name="duel_new"),
    path("duels/challenge/", pages.duel_challenge, name="duel_challenge"),
    path("duels/api/", pages.duels_api, name="duels_api"),
    path("duels/<str:public_id>/", pages.duel, name="duel"),
    path("duels/<str:public_id>/decline/", pages.duel_decline, name="duel_decline"),
    path("@<str:name>/", profile.profile, name="profile"),
    path("shop/", shop_pages.shop, name="shop"),
    path("shop/buy/", shop_pages.buy, name="shop_buy"),
    path("leaderboard/", site.leaderboard, name="leaderboard"),
    path("rules/showdown/", site.rules_showdown, name="rules_showdown"),
    path("rules/duel/", pages.rules_duel, name="rules_duel"),
    path("rpc/", rpc_views.rpc, name="rpc"),
    path("rpc/openrpc.json", rpc_views.openrpc, name="openrpc"),
    path("credits/", site.credits_page, name="credits"),
]
