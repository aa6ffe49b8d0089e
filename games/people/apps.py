"""The application of people."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Profiles, the people page, menus and insights."""

    name = "games.people"
    label = "people"
