"""URL patterns of a user's own data."""

from django.urls import path

from games.own_data import views

urlpatterns = [
    path("settings/data/", views.personal_data, name="personal_data"),
    path("settings/data/export.json", views.export, name="data_export"),
    path("settings/delete/", views.delete_page, name="delete_account"),
]
