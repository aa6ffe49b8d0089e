"""The addresses of the lobby, the tables, the shop and the rules."""

from django.urls import path

from games import views, views_shop

urlpatterns = [
    path("", views.home, name="home"),
    path("tables/", views.tables, name="tables"),
    path("tables/new/", views.table_new, name="table_new"),
    path("tables/with-a-bot/", views.table_with_bot, name="table_with_bot"),
    path("tables/<str:public_id>/", views.table, name="table"),
    path("tables/<str:public_id>/log.json", views.table_log, name="table_log"),
    path("shop/", views_shop.shop, name="shop"),
    path("shop/buy/", views_shop.buy, name="shop_buy"),
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("rules/showdown/", views.rules_showdown, name="rules_showdown"),
    path("credits/", views.credits_page, name="credits"),
]
