"""The command tables of all games, and which of them a view's table speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.duel.commands import DUEL_COMMAND_TABLE
from games.grammar.entries import CommandEntry
from games.grammar.typed import View
from games.showdown.commands import COMMAND_TABLE

#: Game -> all its commands, in the order of its help page.
COMMAND_TABLES: Final[Mapping[str, tuple[CommandEntry, ...]]] = {
    "showdown": COMMAND_TABLE,
    "duel": DUEL_COMMAND_TABLE,
}

#: Game -> name as typed, in lower case -> row.
BY_NAME: Final[Mapping[str, Mapping[str, CommandEntry]]] = {
    game: {name: entry for entry in table for name in entry.names}
    for game, table in COMMAND_TABLES.items()
}


def game_of(view: View) -> str:
    """Return the game that a view is of; where it does not say, Showdown."""
    game: str = (view.get("match") or {}).get("game", "showdown")
    return game
