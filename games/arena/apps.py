"""The arena's application: tables of its own."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """Brings the arena's tables."""

    name = "games.arena"
    label = "arena"
    default_auto_field = "django.db.models.BigAutoField"
