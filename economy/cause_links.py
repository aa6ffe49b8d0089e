"""Links from a transfer to the page of its cause. The economy does not know games.  Other packages
register a function here that returns the pages of causes; ``economy.redaction`` has the same for
secret causes.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple


class Cause(NamedTuple):
    """The cause of a transfer: its code and its subject, such as "match:34"."""

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
