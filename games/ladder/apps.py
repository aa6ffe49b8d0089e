"""The application of the ladder."""

from django.apps import AppConfig

from economy.parts import Part


class LadderConfig(AppConfig):
    name = "games.ladder"
    default_auto_field = "django.db.models.BigAutoField"
    part = Part(
        tunables=("games.ladder.pool.numbers",),
        own_data=("games.ladder.archiving.OWN_DATA",),
        sweeps=(
            "games.ladder.archiving.draw_figures",
            "games.ladder.archiving.pack_oldest_day",
        ),
        runners=("games.ladder.pool.Pool",),
    )
