"""Typed commands: a line that begins with "!" becomes the action of the matching button."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from games import registry
from games.contract import Game
from games.engine.errors import refuse
from games.text.typed import Command, CommandEntry, Query, View, Words

#: The first characters of a command; users of other sites write the second, and keyboards for
#: Chinese and Japanese give the others.
MARKS = ("!", "/", "\uff01", "\ufe57", "\uff0f")


def parse(text: str, view: View) -> Command:
    """Parse a line by its writer's view. Raises IllegalAction."""
    return parse_of(game_of(view).slug, text, view)


def parse_of(slug: str, text: str, view: View) -> Command:
    """Parse a typed line of a game, with a view of any form; raises as ``parse``."""
    name, *rest = text.split() or [""]
    known = _by_name(slug)
    entry = known.get(name[1:].lower()) if name[:1] in MARKS else None
    if entry is None:
        refuse("command/unknown", _unknown(name, known), command=name[:40])
    return entry.read(Words(entry.usage, rest), view)


def is_command(text: str, view: View) -> bool:
    """Whether a line is a command of the game, so that it never becomes chat."""
    name = text.partition(" ")[0]
    return name[:1] in MARKS and name[1:].lower() in _by_name(game_of(view).slug)


@cache
def word_counts(slug: str) -> Mapping[str, int]:
    """Return the most words after each name of a command, counted in its usage."""
    return {
        name: max(len(form.split()) - 1 for form in entry.usage.split(", "))
        for name, entry in _by_name(slug).items()
    }


def answer(query: Query, view: View) -> str:
    """Answer a question in words; raises KeyError."""
    return game_of(view).typing.answer(query, view)


def confirmation(action: Mapping[str, Any], view: View) -> str:
    """Return a sentence on the effect of an accepted action, by its author's view."""
    return game_of(view).typing.confirm(action, view)


def game_of(view: View) -> Game:
    return registry.get(view["match"]["game"])


@cache
def _by_name(slug: str) -> Mapping[str, CommandEntry]:
    commands = registry.get(slug).typing.commands
    return {name: entry for entry in commands for name in entry.names}


def _unknown(name: str, known: Collection[str]) -> str:
    if name[:1] not in MARKS:
        return "A command begins with “!”; !help lists them."
    alike = get_close_matches(name[1:40].lower(), known, n=1)
    meant = f" Did you mean !{alike[0]}?" if alike else ""
    return f"There is no command “{name[:40]}”.{meant} !help lists them all."
