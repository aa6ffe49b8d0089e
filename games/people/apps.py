"""The application of people: it has no tables of its own."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Provides profiles, the people page, menus and insights."""

    name = "games.people"
    label = "people"
