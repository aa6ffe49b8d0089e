"""The Django application of rpsite, and its start-up checks of libraries and of a public site's
settings.
"""

from importlib.metadata import version
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error

from economy.parts import Part
from rpsite.variables import LEAST_SECRET

#: Library -> (lowest version, first version that is too new).
#: Source: docs/how-to/run-a-site.md "Pins".
PINS: Final = {
    "Django": ((5, 2, 19), (5, 3)),
    "channels": ((4, 3), (4, 4)),
    "daphne": ((4, 2, 3), (5,)),
    "redis": ((8,), (9,)),
}


class WiringConfig(AppConfig):
    """Commands, start-up checks, and the runners of what ``rpsite/routing.py`` joins."""

    name = "rpsite"
    part = Part(runners=("games.practice.table_store.TableStore",))

    def ready(self) -> None:
        from rpsite import celery  # noqa: F401 - importing it sets the current application
        from rpsite.schema import check_schema

        checks.register(check_pins, checks.Tags.compatibility)
        checks.register(check_schema, checks.Tags.database)
        checks.register(check_public_site, checks.Tags.security, deploy=True)


def check_pins(**_: Any) -> list[CheckMessage]:
    """Report libraries in versions with which the site was never tested."""
    return [
        Error(
            f"{name} {version(name)} is not one that the site works with.",
            hint="Install requirements.txt with constraints.txt.",
            id="rpsite.E001",
        )
        for name, (least, limit) in PINS.items()
        if not least <= _numbers(version(name)) < limit
    ]


def check_public_site(**_: Any) -> list[CheckMessage]:
    """Report a public site with DEBUG, a weak secret, or no second factor for administrators."""
    problems: list[CheckMessage] = []
    if settings.DEBUG:
        problems.append(Error("DEBUG is on.", id="rpsite.E002"))
    if len(settings.SECRET_KEY) < LEAST_SECRET:
        problems.append(
            Error(f"SECRET_KEY has fewer than {LEAST_SECRET} characters.", id="rpsite.E003")
        )
    if not settings.STAFF_SECOND_FACTOR:
        problems.append(Error("STAFF_SECOND_FACTOR is off.", id="rpsite.E005"))
    return problems


def _numbers(text: str) -> tuple[int, ...]:
    """Return the leading numbers of a version.
    >>> _numbers("5.2.19rc1")
    (5, 2)
    """
    numbers = []
    for part in text.split("."):
        if not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)
