"""The addresses of Showdown's pages, its shop and its rules."""

from django.urls import path

from games.replays.views import match_log, replay_page
from games.showdown import views

urlpatterns = [
    path("tables/", views.tables, name="tables"),
    path("tables/new/", views.table_new, name="table_new"),
    path("tables/quick/", views.table_quick, name="table_quick"),
    path("tables/with-a-bot/", views.table_with_bot, name="table_with_bot"),
    path("tables/<str:public_id>/", views.table, name="table"),
    path("tables/<str:public_id>/replay/", views.table, {"page": replay_page}, name="table_watch"),
    path("tables/<str:public_id>/log.json", match_log, name="table_log"),
    path("shop/", views.shop, name="shop"),
    path("shop/buy/", views.buy, name="shop_buy"),
    path("rules/showdown/", views.rules_showdown, name="rules_showdown"),
]
