"""The application of practice: it has no database tables."""

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """The front page, practice, the lesson and the start page."""

    name = "games.practice"
    label = "practice"
