"""The addresses of the sockets."""

from channels.routing import URLRouter
from django.urls import path
from django.utils.module_loading import import_string

from games import catalog
from games.live.consumers import LobbyConsumer, MatchConsumer
from games.live.me_consumer import MeConsumer
from games.live.origin import OriginGate
from games.practice.consumer import PracticeConsumer

websocket_application = OriginGate(
    URLRouter(
        [
            path("ws/match/<str:public_id>/", MatchConsumer.as_asgi()),
            path("ws/lobby/", LobbyConsumer.as_asgi()),
            path("ws/me/", MeConsumer.as_asgi()),
            path("ws/practice/<slug:slug>/", PracticeConsumer.as_asgi()),
            path("ws/practice/<slug:slug>/<str:lesson>/", PracticeConsumer.as_asgi()),
            *(
                socket
                for game in catalog.games()
                if game.sockets
                for socket in import_string(game.sockets)
            ),
        ]
    )
)
