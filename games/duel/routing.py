"""The addresses of the duel sockets for programs."""

from django.urls import path

from games.duel.rpc.consumer import DuelConsumer

patterns = [path("ws/rpc/duel/<str:public_id>/", DuelConsumer.as_asgi())]
