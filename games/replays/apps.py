"""The application of finished matches: it has no tables."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Provides replays, histories, logs and preview cards."""

    name = "games.replays"
    label = "replays"
