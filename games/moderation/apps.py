"""The application of moderation: it has no tables of its own."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """Provides flags, reports, mutes, fair play, looks at secrets, and their admin pages."""

    name = "games.moderation"
    label = "moderation"
