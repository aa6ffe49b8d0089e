"""The application of archives."""

from django.apps import AppConfig


class ArchivesConfig(AppConfig):
    """Packs old journals, and audits them."""

    name = "games.archives"
    label = "archives"

    def ready(self) -> None:
        from economy.audit import register_check
        from games.archives.archiving import find_broken_archives

        register_check(find_broken_archives)
