"""The Django application of the duels: their template tags."""

from django.apps import AppConfig


class DuelConfig(AppConfig):
    """The duels; their matches are the site's."""

    name = "games.duel"
    label = "duel"
