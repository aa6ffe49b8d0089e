"""The Django application of matches; its label and its tables are called ``games``."""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate

from economy.parts import Part


class MatchesConfig(AppConfig):
    """The core; its numbers are those of the games."""

    name = "games.matches"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"
    part = Part(
        tunables=("games.registry.numbers",),
        checks=(
            "games.matches.queries.audit.find_held_escrows",
            "games.matches.queries.audit.find_broken_journals",
            "games.matches.queries.audit.find_wrong_holders",
            "games.matches.queries.audit.find_stopped_clocks",
        ),
        links=("games.matches.queries.addresses.cause_links",),
        hidden_causes=("games.matches.queries.audit.running_causes",),
        secret_causes=("games.matches.queries.audit.all_running_causes",),
    )

    def ready(self) -> None:
        from accounts.groups import make_groups

        post_migrate.connect(_prepare_database, sender=self)
        # The last of the applications whose permissions the groups have.
        post_migrate.connect(make_groups, sender=self, dispatch_uid="accounts.groups")


def _prepare_database(*, using: str, **_: Any) -> None:
    from games.matches.models.archives import JOURNAL_GUARDS, LOG_GUARDS
    from games.matches.processing.bots import ensure_bots

    for guards in (LOG_GUARDS, JOURNAL_GUARDS):
        if guards.has_tables(connections[using]):
            guards.install(connections[using])
    ensure_bots()
