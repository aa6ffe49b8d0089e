"""Typed commands: a line that begins with "!" becomes the action of the matching button.

Pure functions of the line and of the view its writer sees; what may be done
is for the table and the rules to judge.

Source: docs/rules/showdown.md, "Commands".
"""

from __future__ import annotations

from games.grammar.entries import CommandEntry
from games.grammar.typed import (
    Action,
    AmbiguousPlayer,
    BadUsage,
    Buy,
    Command,
    CommandError,
    NoFreeSeat,
    Query,
    UnknownCommand,
    UnknownPlayer,
    View,
    Words,
)
from games.reading.command_tables import BY_NAME, COMMAND_TABLES, game_of
from games.showdown.commands import COMMAND_TABLE
from games.showdown.replies import answer, confirmation

__all__ = [
    "COMMAND_TABLE",
    "COMMAND_TABLES",
    "Action",
    "AmbiguousPlayer",
    "BadUsage",
    "Buy",
    "Command",
    "CommandEntry",
    "CommandError",
    "NoFreeSeat",
    "Query",
    "UnknownCommand",
    "UnknownPlayer",
    "answer",
    "confirmation",
    "parse",
]


def parse(text: str, view: View) -> Command:
    """Read a typed line as the player sees the table.

    >>> parse("!FOLD", {})
    Action(action={'kind': 'fold'})

    ``view`` is the whole table view of this player (docs/protocol.md, "The view").

    Raises:
        CommandError: by its subclasses; the message is a sentence for the player.
        BadHand: what is thrown at a duel is no hand.
    """
    name, *rest = text.split() or [""]
    known = BY_NAME[game_of(view)]
    entry = known.get(name[1:].lower()) if name.startswith("!") else None
    if entry is None:
        raise UnknownCommand(_unknown(name), command=name[:40])
    return entry.read(Words(entry.usage, rest), view)


def _unknown(name: str) -> str:
    if not name.startswith("!"):
        return "A command begins with “!”; !help lists them."
    return f"There is no command “{name[:40]}”; !help lists them."
