"""The URLs of the front page and of practice."""

from django.urls import path

from games.practice import views

urlpatterns = [
    path("", views.home, name="home"),
    path("practice/<slug:slug>/", views.practice, name="practice"),
    path("practice/<slug:slug>/<slug:kind>/", views.practice, name="practice"),
    path("practice/<slug:slug>/demo.json", views.demo_moments, name="practice_demo"),
    path("start/<slug:slug>/", views.start, name="start"),
    path("daily/", views.daily_page, name="daily"),
    path("daily/start/", views.daily_start, name="daily_start"),
    path("daily/play/", views.daily_board, name="daily_board"),
    path("learn/", views.learn, name="learn"),
]
