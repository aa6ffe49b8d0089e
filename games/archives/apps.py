"""The application of archives."""

from django.apps import AppConfig

from economy.parts import Part


class ArchivesConfig(AppConfig):
    """Packs old journals, and audits them."""

    name = "games.archives"
    part = Part(checks=("games.archives.archiving.find_broken_archives",))
