"""The application of the ladder."""

from django.apps import AppConfig


class LadderConfig(AppConfig):
    name = "games.ladder"
    default_auto_field = "django.db.models.BigAutoField"
