"""The Django application of matches; its label and its tables are called ``games``."""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate


class MatchesConfig(AppConfig):
    """Registers game settings, audit checks, and links to causes of transfers."""

    name = "games.matches"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.groups import make_groups
        from economy.causes import register_links
        from economy.tunables import register_tunables
        from games import registry
        from games.matches.queries import audit
        from games.matches.queries.addresses import cause_links

        for game in registry.games():
            register_tunables(game.numbers, game.title)
        post_migrate.connect(_prepare_database, sender=self)
        # The last of the applications whose permissions the groups have.
        post_migrate.connect(make_groups, sender=self, dispatch_uid="accounts.groups")
        audit.register()
        register_links(cause_links)


def _prepare_database(*, using: str, **_: Any) -> None:
    from games.matches.models.archives import JOURNAL_GUARDS, LOG_GUARDS
    from games.matches.processing.bots import ensure_bots

    for guards in (LOG_GUARDS, JOURNAL_GUARDS):
        if guards.has_tables(connections[using]):
            guards.install(connections[using])
    ensure_bots()
