"""The sockets of matches, the lobby and users, and those of each game."""

from django.urls import path
from django.utils.module_loading import import_string

from games import registry
from games.realtime.consumers import LobbyConsumer, MatchConsumer, MeConsumer

websocket_urlpatterns = [
    path("ws/match/<str:public_id>/", MatchConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/me/", MeConsumer.as_asgi()),
    *(
        socket
        for game in registry.games()
        if game.sockets
        for socket in import_string(game.sockets)
    ),
]
