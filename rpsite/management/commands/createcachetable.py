"""Django's command of this name, for every database that may hold a cache."""

from typing import Any

from django.conf import settings
from django.core.management.commands import createcachetable


class Command(createcachetable.Command):
    """Create the cache's table in the database that the router chooses."""

    def handle(self, *tablenames: Any, **options: Any) -> None:
        named = options.pop("database")
        others = [alias for alias in settings.DATABASES if alias != named]
        for database in (named, *others):
            super().handle(*tablenames, database=database, **options)
