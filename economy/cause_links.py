"""Where the cause of a transfer can be seen.

The economy knows nothing of games.  Who does registers a function here that gives the pages of
causes, as ``economy.redaction`` has one for those that are secret.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple


class Cause(NamedTuple):
    """What a transfer was made for: its code and the subject it names, "match:34" or the like."""

    code: str
    subject: str


class Link(NamedTuple):
    """A page and what to call it."""

    title: str
    url: str


#: Takes the causes on a page, gives the links of those it knows: one query for all of them.
Linker = Callable[[frozenset[Cause]], Mapping[Cause, Link]]

_linkers: list[Linker] = []


def register_links(linker: Linker) -> None:
    """Add a function that knows pages of causes."""
    if linker not in _linkers:
        _linkers.append(linker)


def links_of(causes: Iterable[Cause]) -> dict[Cause, Link]:
    """The links of these causes, as far as anybody knows them."""
    asked = frozenset(causes)
    found: dict[Cause, Link] = {}
    for linker in _linkers:
        found.update(linker(asked))
    return found
