"""What the applications give to each other: the ``Part`` of each AppConfig, read once."""

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What an application gives to others, in dotted texts: ``part`` of its AppConfig. The module
    beside a field asks for it and has its type.
    """

    #: Functions to the numbers by the title of their section: ``economy/tunables.py``.
    tunables: Texts = ()
    #: Checks of the ledger's audit: ``economy/audit.py``.
    checks: Texts = ()
    #: Pages and secrecy of the causes of transfers: ``economy/causes.py``.
    links: Texts = ()
    hidden_causes: Texts = ()
    secret_causes: Texts = ()
    #: Conditions of the stipend: ``economy/payouts.py``.
    stipend_rules: Texts = ()
    #: Sections of a user's page in the admin, by title: ``accounts/person_admin.py``.
    sections: Texts = ()
    #: What waits for users besides tables: ``games/notices/attention.py``.
    needs: Texts = ()
    #: What the application stores about users: ``games/own_data/personal_data.py``.
    own_data: Texts = ()
    #: What the write path does besides the game: ``games/matches/processing/reactions.py``.
    reactions: Texts = ()
    #: Functions that fire passed deadlines for pages: ``games/matches/processing/repair.py``.
    wakers: Texts = ()
    #: Functions that the worker calls with every sweep: ``games/matches/tasks.py``.
    sweeps: Texts = ()
    #: Classes that each web process starts with its runtime: ``games/realtime/runtime.py``.
    runners: Texts = ()


_NOTHING: Final = Part()


@cache
def given(field: str) -> tuple[Any, ...]:
    """Return what the applications give in a field of ``Part``, imported, in the order of
    INSTALLED_APPS. Raises ImproperlyConfigured for a text that names nothing.
    """
    return tuple(
        _imported(text, config)
        for config in apps.get_app_configs()
        for text in getattr(getattr(config, "part", _NOTHING), field)
    )


def _imported(text: str, config: AppConfig) -> Any:
    try:
        return import_string(text)
    except ImportError as error:
        raise ImproperlyConfigured(f"the part of {config.name}: {error}") from error


def check_parts(**_: Any) -> list[CheckMessage]:
    """Report the first text of a part that names nothing."""
    try:
        for field in fields(Part):
            given(field.name)
    except ImproperlyConfigured as error:
        return [Error(str(error), id="economy.E002")]
    return []
