"""Contributions of applications to each other: the ``Part`` of each AppConfig, read once."""

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
    """Contributions of an application in dotted texts, the attribute ``part`` of its AppConfig. The
    module beside a field asks for it.
    """

    #: Functions that return (title on the settings page, ``Tunable``): ``economy/tunables.py``.
    tunables: Texts = ()
    #: Functions from the instant to look back to, None for everything, to sentences about what is
    #: broken: ``economy/audit.py``.
    checks: Texts = ()
    #: Functions from causes on a page to the ``Link`` of each known one, and from causes to the
    #: secret ones, by one query; functions that return all secret ones: ``economy/causes.py``.
    links: Texts = ()
    hidden_causes: Texts = ()
    secret_causes: Texts = ()
    #: Functions of a broke user's id and the instant of the last stipend, None without one lately,
    #: that say whether the user may have another: ``economy/payouts.py``.
    stipend_rules: Texts = ()
    #: Sections of a user's page in the admin: title -> function from the user to lines, and the
    #: permission to read it: ``accounts/person_admin.py``.
    sections: Texts = ()
    #: Functions from users' ids, and the viewer of a page, whose answer may be a second old (None:
    #: of no page), to (id, need), by one query or two: ``games/notices/attention.py``.
    needs: Texts = ()
    #: Functions that return a query of (fact, name, number), read for pages once a second, the same
    #: for everybody: ``accounts/shared.py``.
    site_facts: Texts = ()
    #: Functions that return a query of rows for the front page: ``games/people/activity.py``.
    activity: Texts = ()
    #: An ``OnProfile`` of what a player has won: ``games/people/standing.py``.
    cups: Texts = ()
    #: Functions that store what a user's form "Who sees you" says of a game:
    #: ``accounts/settings_pages.py``.
    privacy: Texts = ()
    #: An ``OwnData``: ``games/own_data/personal_data.py``.
    own_data: Texts = ()
    #: Functions from a match that nobody opened to title and address of what it belongs to, and
    #: what that says to winner and loser, or None: ``games/matches/views.py``.
    homes: Texts = ()
    #: Classes of ``Reaction``: ``games/matches/processing/reactions.py``.
    reactions: Texts = ()
    #: Functions that fire a match's deadline by this process's batch writer and wait for it some
    #: seconds, False without a batch writer: ``games/matches/processing/repair.py``.
    wakers: Texts = ()
    #: Functions that the worker calls with every sweep: ``games/matches/tasks.py``.
    sweeps: Texts = ()
    #: Classes that each web process makes with its runtime: ``games/realtime/runtime.py``.
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
