"""Pages of the economy; the shop and the statement come with their own issue."""

from django.urls import URLPattern

app_name = "economy"
urlpatterns: list[URLPattern] = []
