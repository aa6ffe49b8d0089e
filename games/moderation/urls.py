"""URL patterns of reports."""

from django.urls import path

from games.moderation import views

urlpatterns = [path("people/<str:name>/report/", views.report, name="person_report")]
