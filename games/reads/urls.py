"""URL patterns of sealed reads."""

from django.urls import path

from games.reads import views

urlpatterns = [
    path("readers/", views.best_readers, name="best_readers"),
    path("reads/<str:public_id>/", views.sealed_read, name="sealed_read"),
]
