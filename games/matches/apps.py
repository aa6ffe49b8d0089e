"""The games application."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    """Registers games with Django, its checks with the audit, its sockets with the log-out."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect what other applications must not import."""
        from economy.tunables import register_tunables
        from games import catalog
        from games.live import listeners
        from games.pages import causes
        from games.reading import audit

        for game in catalog.games():
            register_tunables(game.numbers)
        post_migrate.connect(_ensure_bots, sender=self)
        audit.register()
        causes.register()
        listeners.connect()


def _ensure_bots(**options: Any) -> None:
    from games.play.roster import ensure_bots

    ensure_bots()
