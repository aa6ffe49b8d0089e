"""The games of the site, by the name in their addresses.

Source: docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.duel.rules.engine import Duel
from games.kernel.contract import Rules
from games.showdown.rules.engine import Showdown

_RULES: Final[Mapping[str, Rules[Any]]] = {"showdown": Showdown(), "duel": Duel()}


def get(slug: str) -> Rules[Any]:
    """Return the rules of a game.

    Raises:
        KeyError: there is no such game.
    """
    return _RULES[slug]


def slugs() -> tuple[str, ...]:
    """Return the names of every game, in a stable order."""
    return tuple(_RULES)


def all() -> tuple[Rules[Any], ...]:  # noqa: A001 - read as registry.all()
    """Return the rules of every game, in a stable order."""
    return tuple(_RULES.values())
