"""The economy application, and the rows that every database has."""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as global_apps
from django.core import checks
from django.db import connections
from django.db.models.signals import post_migrate, post_save

from economy.parts import check_parts
from economy.tunables import TUNABLES, add_tunables
from economy.units import CACHED_KINDS, HOUSE, HOUSE_KINDS, Unit

#: Points for one.  Source: docs/rules/showdown.md "Shop and permanent stock".
FIRST_PRICES = {Unit.ROCK: 1, Unit.PAPER: 1, Unit.SCISSORS: 1, Unit.LANDMINE: 2}


class EconomyConfig(AppConfig):
    """Registers the economy with Django."""

    name = "economy"
    verbose_name = "Points"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from economy.admin_pages import record_entry
        from economy.triggers import check_guards

        post_migrate.connect(prepare_database, sender=self, dispatch_uid="economy.prepare")
        checks.register(check_guards, checks.Tags.database)
        checks.register(check_parts)
        # By name: the admin's own application may not be loaded yet.
        post_save.connect(record_entry, sender="admin.LogEntry", dispatch_uid="economy.record")
        add_tunables()


def prepare_database(*, using: str, apps: Any = global_apps, **_: Any) -> None:
    """Receive post_migrate: install the guards and create missing rows; existing ones stay."""
    from economy.models import LEDGER_GUARDS

    connection = connections[using]
    if not LEDGER_GUARDS.has_tables(connection):
        return
    if LEDGER_GUARDS.missing(connection):
        LEDGER_GUARDS.install(connection)
    account, item, setting = (
        apps.get_model("economy", name).objects.using(using)
        for name in ("Account", "Item", "Setting")
    )
    account.bulk_create(
        [
            account.model(
                owner=HOUSE, kind=kind, unit=unit, balance=0 if kind in CACHED_KINDS else None
            )
            for kind in sorted(HOUSE_KINDS)
            for unit in Unit
        ],
        ignore_conflicts=True,
    )
    item.bulk_create(
        [item.model(unit=unit, price=price) for unit, price in FIRST_PRICES.items()],
        ignore_conflicts=True,
    )
    setting.bulk_create(
        [setting.model(name=name, value=tunable.default) for name, tunable in TUNABLES.items()],
        ignore_conflicts=True,
    )
