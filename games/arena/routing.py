"""The URL of the arena's socket."""

from django.urls import path

from games.arena.consumer import ArenaConsumer

patterns = [path("ws/arena/", ArenaConsumer.as_asgi())]
