"""The arena's application, with its own tables."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "games.arena"
    label = "arena"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.arena.personal import blank, reason_to_stay, rows_of
        from games.own_data.deletion import Elsewhere, delete_also
        from games.own_data.personal_data import export_also

        export_also("arena", rows_of)
        delete_also(Elsewhere(reason_to_stay, blank))
