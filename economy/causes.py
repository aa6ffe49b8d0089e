"""Pages and secrecy of the causes of transfers, which games give: the economy knows none."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from django.db.models import Q

from economy.parts import given
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
#: Takes causes, returns the secret ones: one query for a whole page.
Hider = Callable[[frozenset[str]], Iterable[str]]
#: Returns all causes that are secret now, for searches that must leave them out.
Lister = Callable[[], Iterable[str]]


def links_of(causes: Iterable[Cause]) -> dict[Cause, Link]:
    """Return the links of those of these causes that have a page."""
    asked = frozenset(causes)
    found: dict[Cause, Link] = {}
    linkers: tuple[Linker, ...] = given("links")
    for linker in linkers:
        found.update(linker(asked))
    return found


def secret_causes() -> frozenset[str]:
    """Return all causes whose transfers are secret now."""
    listers: tuple[Lister, ...] = given("secret_causes")
    return frozenset(cause for lister in listers for cause in lister())


def hidden_causes(causes: Iterable[str]) -> frozenset[str]:
    """Return those of these causes whose transfers must not show accounts, unit or amount."""
    asked = frozenset(causes)
    hidden: set[str] = set()
    hiders: tuple[Hider, ...] = given("hidden_causes")
    for hider in hiders:
        hidden.update(hider(asked))
    return asked & hidden


def secret_balances() -> Q:
    """Return the accounts whose balances reveal added weapons and mines of running matches."""
    return Q(kind__in=(AccountKind.STOCK, AccountKind.ESCROW)) & ~Q(unit=Unit.POINT)
