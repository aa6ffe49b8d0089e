"""The application of goals: it has no tables of its own."""

from django.apps import AppConfig

from economy.parts import Part


class GoalsConfig(AppConfig):
    name = "games.goals"
    part = Part(reactions=("games.goals.reaching.Goals",))
