"""The application of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """The bell, turns, reminders by mail, and notifications of browsers."""

    name = "games.notices"
    label = "notices"
