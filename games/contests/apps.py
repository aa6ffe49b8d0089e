"""The application of the contests: tables and numbers of their own."""

from django.apps import AppConfig


class ContestsConfig(AppConfig):
    """Brings the tables of the contests, and the numbers an admin may change."""

    name = "games.contests"
    label = "contests"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let an admin change the numbers."""
        from economy.tunables import register_tunables
        from games.contests.numbers import NUMBERS

        register_tunables(NUMBERS)
