"""The application of standings: it has no tables of its own."""

from django.apps import AppConfig

from economy.parts import Part


class StandingsConfig(AppConfig):
    name = "games.standings"
    part = Part(
        checks=("games.standings.award_audit.find_wrong_awards",),
        stipend_rules=("games.standings.rewards.has_finished_game",),
        reactions=("games.standings.rating.Ratings", "games.standings.awards.Awards"),
    )
