"""The type of a chat command, and the readers of the commands of every table.
Source: docs/rules/showdown.md, "Commands".
"""

from collections.abc import Callable
from dataclasses import dataclass

from games.text.typed import Action, Command, NoFreeSeat, Query, View, Words

Reader = Callable[[Words, View], Command]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One command: names (the first one is shown), usage, description, reader. ``kind`` is the
    action that it becomes, so that help can list possible commands; empty for a command that is
    always possible.  ``group`` is the heading in the help for the other commands.
    """

    names: tuple[str, ...]
    usage: str
    about: str
    read: Reader
    kind: str = ""
    group: str = "At the table"


def plain(kind: str) -> Reader:
    """Return a reader for an action without arguments."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return Action({"kind": kind})

    return read


def query(kind: str) -> Reader:
    """Return a reader for a question without arguments."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return Query(kind)

    return read


def help_(words: Words, view: View) -> Command:
    """Request the list of commands."""
    return Query("help")  # extra words are ignored: a request for help is never refused


def sit(words: Words, view: View) -> Command:
    """Take the first free seat, with the named purse or the offered one."""
    words.require_count(0, 1)
    purse = words.number(0)
    named = {} if purse is None else {"purse": purse}
    return Action({"kind": "sit", **named})


def take_over(words: Words, view: View) -> Command:
    """Take over the open seat of the named player, else the first one; raises NoFreeSeat."""
    words.require_count(0, 1)
    if words.rest:
        return Action({"kind": "take_over", "seat": words.player(0, view)})
    seats = [seat["no"] for seat in view["seats"] if seat["is_open"]]
    if not seats:
        raise NoFreeSeat("No seat of this game is open.")
    return Action({"kind": "take_over", "seat": seats[0]})


def bring(words: Words, view: View) -> Command:
    """Change the purse."""
    words.require_count(1, 1)
    return Action({"kind": "bring", "purse": words.number(0)})


def ready(words: Words, view: View) -> Command:
    """Get ready for the options that the view shows."""
    words.require_count(0, 0)
    revision = view["match"]["options_revision"]
    return Action({"kind": "ready", "configuration": revision})


def remove_bot(words: Words, view: View) -> Command:
    """Remove a bot by its name."""
    words.require_count(1, 1)
    return Action({"kind": "remove_bot", "seat": words.player(0, view)})
