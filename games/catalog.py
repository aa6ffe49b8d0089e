"""The games of the site, by the name in their addresses.

Source: docs/adding-a-game.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.duel.rules.engine import Duel
from games.kernel.facts import Rules
from games.showdown.rules.engine import Showdown

#: ``Any``: a game comes with typed structs or, until it is moved too, without.
_RULES: Final[Mapping[str, Any]] = {"showdown": Showdown(), "duel": Duel()}


def get(slug: str) -> Rules[Any]:
    """Return the rules of a game.

    Raises:
        KeyError: there is no such game.
    """
    rules: Rules[Any] = _RULES[slug]
    return rules


def all() -> tuple[Rules[Any], ...]:  # noqa: A001 - read as registry.all()
    """Return the rules of every game, in a stable order."""
    return tuple(_RULES.values())
