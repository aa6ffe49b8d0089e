"""URLs of the economy's pages."""

from django.urls import path

from economy import views

urlpatterns = [
    path("wallet/", views.wallet, name="wallet"),
    path("wallet/statement.csv", views.wallet_csv, name="wallet_csv"),
    path("stock/", views.stock, name="stock"),
    path("economy/", views.economy_overview, name="economy_overview"),
]
