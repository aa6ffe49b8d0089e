"""The address of the sockets for programs."""

from django.urls import path

from games.jsonrpc.consumer import ProgramConsumer

websocket_urlpatterns = [
    path("ws/rpc/<slug:slug>/<str:public_id>/", ProgramConsumer.as_asgi()),
]
