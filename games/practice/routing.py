"""The sockets of practice."""

from django.urls import path

from games.practice.consumer import DailyConsumer, PracticeConsumer

websocket_urlpatterns = [
    path("ws/daily/", DailyConsumer.as_asgi()),
    path("ws/practice/<slug:slug>/", PracticeConsumer.as_asgi()),
    path("ws/practice/<slug:slug>/<str:lesson>/", PracticeConsumer.as_asgi()),
]
