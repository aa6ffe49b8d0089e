"""The addresses of the lobby, the tables, the duels, the profiles, the shop and the rules."""

from django.urls import path

from games import views, views_duel, views_profile, views_shop
from games.rpc import views as rpc_views

urlpatterns = [
    path("", views.home, name="home"),
    path("tables/", views.tables, name="tables"),
    path("tables/new/", views.table_new, name="table_new"),
    path("tables/with-a-bot/", views.table_with_bot, name="table_with_bot"),
    path("tables/<str:public_id>/", views.table, name="table"),
    path("tables/<str:public_id>/log.json", views.table_log, name="table_log"),
    path("duels/", views_duel.duels, name="duels"),
    path("duels/quick/", views_duel.quick_duel, name="duel_quick"),
    path("duels/new/", views_duel.duel_new, name="duel_new"),
    path("duels/challenge/", views_duel.duel_challenge, name="duel_challenge"),
    path("duels/api/", views_duel.duels_api, name="duels_api"),
    path("duels/<str:public_id>/", views_duel.duel, name="duel"),
    path("duels/<str:public_id>/decline/", views_duel.duel_decline, name="duel_decline"),
    path("@<str:name>/", views_profile.profile, name="profile"),
    path("shop/", views_shop.shop, name="shop"),
    path("shop/buy/", views_shop.buy, name="shop_buy"),
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("rules/showdown/", views.rules_showdown, name="rules_showdown"),
    path("rules/duel/", views_duel.rules_duel, name="rules_duel"),
    path("rpc/", rpc_views.rpc, name="rpc"),
    path("rpc/openrpc.json", rpc_views.openrpc, name="openrpc"),
    path("credits/", views.credits_page, name="credits"),
]
