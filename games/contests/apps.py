"""The application of the contests."""

from django.apps import AppConfig


class ContestsConfig(AppConfig):
    name = "games.contests"
    label = "contests"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from economy.tunables import register_tunables
        from games.contests.personal import blank, proposals_for, reason_to_stay, rows_of
        from games.contests.terms import NUMBERS
        from games.notices.attention import ask_also
        from games.own_data.deletion import Elsewhere, delete_also
        from games.own_data.personal_data import export_also

        register_tunables(NUMBERS, "Contests")
        ask_also(proposals_for)
        export_also("contests", rows_of)
        delete_also(Elsewhere(reason_to_stay, blank))
