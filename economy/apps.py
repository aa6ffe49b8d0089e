"""The economy application."""

from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate, post_save


class EconomyConfig(AppConfig):
    """Registers the economy with Django."""

    name = "economy"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from economy.admin_base import record_entry
        from economy.setup import prepare_database
        from economy.triggers import check_guards

        post_migrate.connect(prepare_database, sender=self, dispatch_uid="economy.prepare")
        checks.register(check_guards, checks.Tags.database)
        # By name: the admin's own application may not be loaded yet.
        post_save.connect(record_entry, sender="admin.LogEntry", dispatch_uid="economy.record")
