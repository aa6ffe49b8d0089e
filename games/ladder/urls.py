"""The URLs and the socket of the ladder."""

from django.urls import path

from games.ladder import views
from games.ladder.consumer import LadderConsumer

urlpatterns = [
    path("ladder/", views.ladder, name="ladder"),
    path("ladder/etag/", views.ladder_etag, name="ladder_etag"),
    path("ladder/days/<str:day>.jsonl.gz", views.ladder_day, name="ladder_day"),
    path("ladder/<str:public_id>/", views.ladder_match, name="ladder_match"),
]

websocket_urlpatterns = [path("rpc/ladder", LadderConsumer.as_asgi())]
