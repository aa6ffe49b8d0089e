"""The application of the duels: their template tags."""

from django.apps import AppConfig


class DuelConfig(AppConfig):
    """The duels."""

    name = "games.duel"
