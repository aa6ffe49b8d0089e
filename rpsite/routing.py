"""The routes of all sockets, behind the check of their origin."""

from channels.routing import URLRouter

from games.jsonrpc import routing as jsonrpc
from games.practice import routing as practice
from games.realtime import routing as realtime
from games.realtime.origin import OriginGate

websocket_application = OriginGate(
    URLRouter(
        [
            *realtime.websocket_urlpatterns,
            *practice.websocket_urlpatterns,
            *jsonrpc.websocket_urlpatterns,
        ]
    )
)
