"""The routes of all sockets, behind the checks of their text and origin."""

from channels.routing import URLRouter
from django.urls import re_path

from games.jsonrpc import urls as jsonrpc
from games.practice import routing as practice
from games.realtime import routing as realtime
from games.realtime.origin import OriginGate
from rpsite.input import StorableHandshakes, refuse

websocket_application = StorableHandshakes(
    OriginGate(
        URLRouter(
            [
                *realtime.websocket_urlpatterns,
                *practice.websocket_urlpatterns,
                *jsonrpc.websocket_urlpatterns,
                re_path("", refuse),  # type: ignore[arg-type]
            ]
        )
    )
)
