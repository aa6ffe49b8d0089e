"""The application of the ladder."""

from django.apps import AppConfig

from economy.parts import Part


class LadderConfig(AppConfig):
    name = "games.ladder"
    default_auto_field = "django.db.models.BigAutoField"
    part = Part(
        tunables=("games.ladder.pool.numbers",),
        runners=("games.ladder.pool.Pool",),
    )
