"""The application of practice: it has no database tables."""

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """Provides the front page, practice, the lesson and the start page."""

    name = "games.practice"
    label = "practice"
