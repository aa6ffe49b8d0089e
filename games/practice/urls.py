"""The URLs of the front page and of practice."""

from django.urls import path

from games.practice import daily_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("practice/<slug:slug>/", views.practice, name="practice"),
    path("practice/<slug:slug>/demo.json", views.demo_moments, name="practice_demo"),
    path("start/<slug:slug>/", views.start, name="start"),
    path("daily/", daily_views.daily_page, name="daily"),
    path("daily/start/", daily_views.daily_start, name="daily_start"),
    path("daily/play/", daily_views.daily_board, name="daily_board"),
    path("learn/", views.learn, name="learn"),
]
