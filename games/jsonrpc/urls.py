"""The addresses of JSON-RPC over HTTP and over sockets, and of the pages for programmers."""

from django.urls import path

from games.jsonrpc import programs, views
from games.jsonrpc.consumer import ProgramConsumer

urlpatterns = [
    path("settings/programs/", programs.program_settings, name="program_settings"),
    path("rpc/<slug:slug>/", views.rpc, name="rpc"),
    path("rpc/<slug:slug>/openrpc.json", views.openrpc, name="openrpc"),
    path("programs/", views.reference, name="programs"),
    path("play/<slug:slug>/api/", views.reference, name="api"),
]


websocket_urlpatterns = [path("ws/rpc/<slug:slug>/<str:public_id>/", ProgramConsumer.as_asgi())]
