"""Pages and secrecy of the causes of transfers, which games give: the economy knows none."""

from collections.abc import Iterable
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


def links_of(causes: Iterable[Cause]) -> dict[Cause, Link]:
    """Return the links of those of these causes that have a page."""
    asked = frozenset(causes)
    found: dict[Cause, Link] = {}
    for find_links in given("links"):
        found.update(find_links(asked))
    return found


def secret_causes() -> frozenset[str]:
    """Return all causes whose transfers are secret now."""
    return frozenset(cause for find_all in given("secret_causes") for cause in find_all())


def hidden_causes(causes: Iterable[str]) -> frozenset[str]:
    """Return those of these causes whose transfers must not show accounts, unit or amount."""
    asked = frozenset(causes)
    hidden: set[str] = set()
    for find_hidden in given("hidden_causes"):
        hidden.update(find_hidden(asked))
    return asked & hidden


def secret_balances() -> Q:
    """Return the accounts whose balances reveal added weapons and mines of running matches."""
    return Q(kind__in=(AccountKind.STOCK, AccountKind.ESCROW)) & ~Q(unit=Unit.POINT)
