"""The addresses of the sockets."""

from channels.routing import URLRouter
from django.urls import path

from games.consumers import LobbyConsumer, MatchConsumer
from games.live.origin import OriginGate
from games.me_consumer import MeConsumer
from games.rpc.consumer import DuelConsumer

websocket_application = OriginGate(
    URLRouter(
        [
            path("ws/match/<str:public_id>/", MatchConsumer.as_asgi()),
            path("ws/lobby/", LobbyConsumer.as_asgi()),
            path("ws/me/", MeConsumer.as_asgi()),
            path("ws/rpc/duel/<str:public_id>/", DuelConsumer.as_asgi()),
        ]
    )
)
