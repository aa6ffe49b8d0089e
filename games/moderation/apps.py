"""The application of moderation: it has no tables of its own."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "games.moderation"
    label = "moderation"
