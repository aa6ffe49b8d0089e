"""The Django application of rpsite: the commands ``up`` and ``web``, and the checks."""

from django.apps import AppConfig
from django.core import checks


class WiringConfig(AppConfig):
    """Registers the commands and the start-up checks with Django."""

    name = "rpsite"

    def ready(self) -> None:
        from rpsite import celery  # noqa: F401 - importing it sets the current application
        from rpsite.checks import check_pins, check_public_site
        from rpsite.schema import check_schema

        checks.register(check_pins, checks.Tags.compatibility)
        checks.register(check_schema, checks.Tags.database)
        checks.register(check_public_site, checks.Tags.security, deploy=True)
