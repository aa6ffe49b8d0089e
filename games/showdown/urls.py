"""The addresses of Showdown's pages, its shop and its rules."""

from django.urls import path

from games.pages import site
from games.showdown import pages, shop_pages

urlpatterns = [
    path("tables/", pages.tables, name="tables"),
    path("tables/new/", pages.table_new, name="table_new"),
    path("tables/with-a-bot/", pages.table_with_bot, name="table_with_bot"),
    path("tables/<str:public_id>/", pages.table, name="table"),
    path("tables/<str:public_id>/log.json", site.match_log, name="table_log"),
    path("shop/", shop_pages.shop, name="shop"),
    path("shop/buy/", shop_pages.buy, name="shop_buy"),
    path("rules/showdown/", pages.rules_showdown, name="rules_showdown"),
]
