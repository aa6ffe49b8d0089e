"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Registers accounts with Django."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the receivers."""
        from accounts import receivers  # noqa: F401 - imported for its effect
