"""The application of notices."""

from django.apps import AppConfig

from economy.parts import Part


class NoticesConfig(AppConfig):
    name = "games.notices"
    part = Part(reactions=("games.notices.reminders.Reminders",))
