"""The application of finished matches: it has no tables."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    name = "games.replays"
    label = "replays"
