"""What the pages of the house must know of each game that lives in it.

A game names its ``Town`` by ``house``; the house knows none of its games.

Source: docs/adding-a-game.md "A house".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.module_loading import import_string

from games import catalog
from games.game import TableGame
from games.mafia.forms import TownForm


class Fate(NamedTuple):
    """What somebody was in a game that is over, and what became of them.

    ``look`` is the end of the class names of the tag with ``card``; ``award`` is in words.
    """

    name: str
    card: str
    look: str
    fate: str
    award: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """One game's part of the house's pages.

    ``quick``: the options of a game in one sitting.  ``lead``: what the game is, in a sentence or
    two.  ``ending`` and ``fates`` are of a view after the end: who won and why, who was what.
    """

    form: type[TownForm]
    quick: Mapping[str, Any]
    lead: str
    ending: Callable[[Mapping[str, Any]], tuple[str, str]]
    fates: Callable[[Mapping[str, Any]], list[Fate]]


def towns() -> dict[str, tuple[TableGame, Town]]:
    """Return the games of the house that are played here, by slug, in their order."""
    return {game.slug: (game, import_string(game.house)) for game in catalog.tables() if game.house}
