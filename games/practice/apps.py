"""The application of practice: it has no tables."""

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """Brings the front page, practice, the lesson and the start page."""

    name = "games.practice"
    label = "practice"
