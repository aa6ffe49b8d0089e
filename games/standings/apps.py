"""The application of standings: it has no tables of its own."""

from django.apps import AppConfig


class StandingsConfig(AppConfig):
    name = "games.standings"
    label = "standings"

    def ready(self) -> None:
        from economy.audit import register_check
        from economy.payouts import register_stipend_rule
        from games.standings.award_audit import find_wrong_awards
        from games.standings.rewards import has_finished_game

        register_check(find_wrong_awards)
        register_stipend_rule(has_finished_game)
