"""The application of the practice."""

from django.apps import AppConfig

from economy.parts import Part


class PracticeConfig(AppConfig):
    name = "games.practice"
    part = Part(runners=("games.practice.table_store.TableStore",))
