"""The accounts application."""

from django.apps import AppConfig
from django.core import checks
from django.db.models.signals import post_migrate, pre_migrate


class AccountsConfig(AppConfig):
    """Registers accounts with Django."""

    name = "accounts"
    verbose_name = "Players"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import receivers  # noqa: F401 - imported for its effect
        from accounts.login_number import check_sessions, install_triggers, remove_triggers

        pre_migrate.connect(remove_triggers, sender=self, dispatch_uid="accounts.triggers_off")
        post_migrate.connect(install_triggers, sender=self, dispatch_uid="accounts.triggers_on")
        checks.register(check_sessions, checks.Tags.security)
