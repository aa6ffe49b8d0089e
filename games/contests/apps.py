"""The application of the contests: tables and numbers of their own."""

from django.apps import AppConfig


class ContestsConfig(AppConfig):
    """Brings the tables of the contests, their numbers, and what they ask at the bell."""

    name = "games.contests"
    label = "contests"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let an admin change the numbers, and the bell tell of proposals."""
        from economy.tunables import register_tunables
        from games.contests.attention import proposals_for
        from games.contests.tunables import NUMBERS
        from games.matches.queries.attention import ask_also

        register_tunables(NUMBERS)
        ask_also(proposals_for)
