"""Which database holds what."""

from typing import Any

from django.conf import settings

#: What Django calls the application of a database cache.
CACHE: str = "django_cache"


class CacheRouter:
    """Sends the cache to the database ``cache`` where there is one, everything else elsewhere."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        """Return where a model is read."""
        return "cache" if _is_apart(model) else None

    def db_for_write(self, model: Any, **hints: Any) -> str | None:
        """Return where a model is written."""
        return self.db_for_read(model)

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        """Whether an application's tables belong into a database."""
        if "cache" not in settings.DATABASES:
            return None
        return (db == "cache") == (app_label == CACHE)


def _is_apart(model: Any) -> bool:
    return model._meta.app_label == CACHE and "cache" in settings.DATABASES
