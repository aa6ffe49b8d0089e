"""Typed commands: a line that begins with "!" becomes the action of the matching button.

Pure functions of the line and of the view its writer sees; what may be done
is for the table and the rules to judge.

Source: docs/rules/showdown.md, "Commands".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from games import catalog
from games.game import Game
from games.grammar.entries import CommandEntry
from games.grammar.typed import Command, Query, UnknownCommand, View, Words


def parse(text: str, view: View) -> Command:
    """Read a typed line as the player sees the table.

    ``view`` is the whole table view of this player (docs/protocol.md, "The view").

    Raises:
        CommandError: by its subclasses; the message is a sentence for the player.
        IllegalAction: a word is none of the game's.
    """
    return parse_of(game_of(view).slug, text, view)


def parse_of(slug: str, text: str, view: View) -> Command:
    """Read a typed line of a game, whatever the view's form; raises as ``parse``."""
    name, *rest = text.split() or [""]
    known = _by_name(slug)
    entry = known.get(name[1:].lower()) if name.startswith("!") else None
    if entry is None:
        raise UnknownCommand(_unknown(name), command=name[:40])
    return entry.read(Words(entry.usage, rest), view)


def answer(query: Query, view: View) -> str:
    """Answer a question in words; raises KeyError for one that the game does not know."""
    return game_of(view).typing.answer(query, view)


def confirmation(action: Mapping[str, Any], view: View) -> str:
    """Say in one sentence what an accepted action did, by the view of whoever typed it."""
    return game_of(view).typing.confirm(action, view)


def game_of(view: View) -> Game:
    """Return the game of which a view is; raises KeyError."""
    return catalog.get(view["match"]["game"])


@cache
def _by_name(slug: str) -> Mapping[str, CommandEntry]:
    """Return name as typed, in lower case -> row of the game's table."""
    commands = catalog.get(slug).typing.commands
    return {name: entry for entry in commands for name in entry.names}


def _unknown(name: str) -> str:
    if not name.startswith("!"):
        return "A command begins with “!”; !help lists them."
    return f"There is no command “{name[:40]}”; !help lists them."
