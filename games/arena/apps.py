"""The arena's application, with its own tables."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    """Provides the arena's tables."""

    name = "games.arena"
    label = "arena"
    default_auto_field = "django.db.models.BigAutoField"
