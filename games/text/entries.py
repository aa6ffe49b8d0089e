"""What one typed command is, and the readers of those that every table has.

Source: docs/rules/showdown.md, "Commands".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.text.typed import Action, Command, NoFreeSeat, Query, View, Words

Reader = Callable[[Words, View], Command]


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """One row: the names (the first is the one shown), the form, what it does, its reader.

    ``kind`` is the action that it becomes, so that help can say what is possible now; empty for
    what always is.  ``group`` is the heading of the help under which it stands otherwise.
    """

    names: tuple[str, ...]
    usage: str
    about: str
    read: Reader
    kind: str = ""
    group: str = "At the table"


def plain(kind: str) -> Reader:
    """Return a reader for an action without words."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return Action({"kind": kind})

    return read


def query(kind: str) -> Reader:
    """Return a reader for a question without words."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return Query(kind)

    return read


def help_(words: Words, view: View) -> Command:
    """Ask for the list of commands."""
    return Query("help")  # whoever asks for help is not told that the question is wrong


def sit(words: Words, view: View) -> Command:
    """Take the first free seat, with the purse that is named or the one on offer."""
    words.require_count(0, 1)
    purse = words.number(0)
    named = {} if purse is None else {"purse": purse}
    return Action({"kind": "sit", **named})


def take_over(words: Words, view: View) -> Command:
    """Take over an open seat: that of a player who is named, else the first; raises NoFreeSeat."""
    words.require_count(0, 1)
    if words.rest:
        return Action({"kind": "take_over", "seat": words.player(0, view)})
    seats = [seat["no"] for seat in view["seats"] if seat["is_open"]]
    if not seats:
        raise NoFreeSeat("No seat of this game is open.")
    return Action({"kind": "take_over", "seat": seats[0]})


def bring(words: Words, view: View) -> Command:
    """Bring another purse."""
    words.require_count(1, 1)
    return Action({"kind": "bring", "purse": words.number(0)})


def ready(words: Words, view: View) -> Command:
    """Get ready for the options that the view shows."""
    words.require_count(0, 0)
    revision = view["match"]["options_revision"]
    return Action({"kind": "ready", "configuration": revision})


def remove_bot(words: Words, view: View) -> Command:
    """Send a bot away, by name."""
    words.require_count(1, 1)
    return Action({"kind": "remove_bot", "seat": words.player(0, view)})
