"""The routes of all sockets, behind the checks of their text and origin."""

from channels.routing import URLRouter
from django.urls import path, re_path
from django.utils.module_loading import import_string

from games import registry
from games.jsonrpc import urls as jsonrpc
from games.ladder import urls as ladder
from games.practice.consumer import DailyConsumer, PracticeConsumer
from games.realtime.consumers import LobbyConsumer, MatchConsumer, MeConsumer
from games.realtime.origin import OriginGate
from rpsite.input import StorableHandshakes, refuse

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
    path("ws/daily/", DailyConsumer.as_asgi()),
    path("ws/practice/<slug:slug>/", PracticeConsumer.as_asgi()),
    path("ws/practice/<slug:slug>/<str:kind>/", PracticeConsumer.as_asgi()),
    *jsonrpc.websocket_urlpatterns,
    *ladder.websocket_urlpatterns,
]

websocket_application = StorableHandshakes(
    OriginGate(
        URLRouter([*websocket_urlpatterns, re_path("", refuse)])  # type: ignore[arg-type]
    )
)
