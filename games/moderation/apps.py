"""The application of moderation."""

from django.apps import AppConfig

from economy.parts import Part


class ModerationConfig(AppConfig):
    name = "games.moderation"
    part = Part(
        sections=("games.moderation.report_admin.SECTIONS",),
        reactions=(
            "games.moderation.peeking.Looks",
            "games.moderation.fair_play.Substitutes",
            "games.moderation.muting.Mutes",
            "games.moderation.fair_play.FairPlay",
        ),
    )
