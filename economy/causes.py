"""Pages and secrecy of the causes of transfers, which games register: the economy knows none."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.db.models import Q

from economy.units import AccountKind, Unit


class Cause(NamedTuple):
    """The code of a transfer and its subject, such as "match:34"."""

    code: str
    subject: str


class Link(NamedTuple):
    """The address of a page and its title."""

    title: str
    url: str


#: Takes the causes on a page, returns the links of those it knows: one query for all of them.
Linker = Callable[[frozenset[Cause]], Mapping[Cause, Link]]

_linkers: list[Linker] = []


def register_links(linker: Linker) -> None:
    """Add a function that returns the pages of causes."""
    if linker not in _linkers:
        _linkers.append(linker)


def links_of(causes: Iterable[Cause]) -> dict[Cause, Link]:
    """Return the links of these causes, where a registered function has one."""
    asked = frozenset(causes)
    found: dict[Cause, Link] = {}
    for linker in _linkers:
        found.update(linker(asked))
    return found


#: Takes causes, returns the secret ones: one query for a whole page.
Hider = Callable[[frozenset[str]], Iterable[str]]

_hiders: list[Hider] = []

#: Returns all causes that are secret now.
_listers: list[Callable[[], Iterable[str]]] = []


def register_hidden_causes(hider: Hider) -> None:
    """Add a function that selects the secret ones of some causes."""
    if hider not in _hiders:
        _hiders.append(hider)


def register_secret_causes(lister: Callable[[], Iterable[str]]) -> None:
    """Add a function that lists all secret causes, for searches that must leave them out."""
    if lister not in _listers:
        _listers.append(lister)


def secret_causes() -> frozenset[str]:
    """Return all causes whose transfers are secret now."""
    return frozenset(cause for lister in _listers for cause in lister())


def hidden_causes(causes: Iterable[str]) -> frozenset[str]:
    """Return those of these causes whose transfers must not show accounts, unit or amount."""
    asked = frozenset(causes)
    hidden: set[str] = set()
    for hider in _hiders:
        hidden.update(hider(asked))
    return asked & hidden


def secret_balances() -> Q:
    """Return the accounts whose balances reveal added weapons and mines of running matches."""
    return Q(kind__in=(AccountKind.STOCK, AccountKind.ESCROW)) & ~Q(unit=Unit.POINT)
