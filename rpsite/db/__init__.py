"""Database backends, the router of the cache, the limits of statements."""

from typing import Any, Final

from django.conf import settings
from django.db import connections

#: Django's application label of a database cache.
CACHE: str = "django_cache"
#: Not in the settings, because migrations and audits may take longer.
LIMITS: Final = (
    "-c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000"
)


class CacheRouter:
    """Routes the cache to the database ``cache``, if there is one, and all else to the default."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        is_apart = model._meta.app_label == CACHE and "cache" in settings.DATABASES
        return "cache" if is_apart else None

    db_for_write = db_for_read

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        if "cache" not in settings.DATABASES:
            return None
        return (db == "cache") == (app_label == CACHE)


def limit_statements() -> None:
    """Limit the time of statements on PostgreSQL in web process and worker; before connecting."""
    for connection in connections.all():
        if connection.vendor == "postgresql":
            connection.settings_dict["OPTIONS"]["options"] = LIMITS
