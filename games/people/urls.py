"""URL patterns of profiles and people."""

from django.urls import path

from games.people import views

urlpatterns = [
    path("matches/<str:public_id>/insight.json", views.match_insight, name="match_insight"),
    path("@<str:name>/", views.profile, name="profile"),
    path("people/", views.people, name="people"),
    path("people/<str:name>/", views.person, name="person"),
]
