"""The application of archives: it has no tables of its own."""

from django.apps import AppConfig


class ArchivesConfig(AppConfig):
    """Packs old journals, and audits them."""

    name = "games.archives"
    label = "archives"

    def ready(self) -> None:
        from economy.audit import register_check
        from games.archives.audit import find_broken_archives

        register_check(find_broken_archives)
