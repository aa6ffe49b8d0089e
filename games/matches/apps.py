"""The Django application of matches; its label and its tables are called ``games``."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    """Registers the numbers of games, the audit of matches and links to causes of transfers."""

    name = "games.matches"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect what other applications must not import."""
        from economy.tunables import register_tunables
        from games import registry
        from games.matches.queries import audit
        from games.matches.views import cause_links

        for game in registry.games():
            register_tunables(game.numbers)
        post_migrate.connect(_ensure_bots, sender=self)
        audit.register()
        cause_links.register()


def _ensure_bots(**options: Any) -> None:
    from games.matches.processing.roster import ensure_bots

    ensure_bots()
