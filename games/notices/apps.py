"""The application of notices: it has no tables of its own."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Provides the bell, turns, reminders by mail, and notifications of browsers."""

    name = "games.notices"
    label = "notices"
