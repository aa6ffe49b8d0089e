"""The application of the contests."""

from django.apps import AppConfig

from economy.parts import Part


class ContestsConfig(AppConfig):
    name = "games.contests"
    default_auto_field = "django.db.models.BigAutoField"
    part = Part(
        tunables=("games.contests.terms.numbers",),
        site_facts=("games.contests.personal.open_proposals",),
        needs=("games.contests.personal.proposals_for",),
        own_data=("games.contests.personal.OWN_DATA",),
        sweeps=("games.contests.services.sweep",),
        runners=("games.contests.services.ContestSweeper",),
    )
