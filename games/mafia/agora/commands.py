"""The table of chat commands of Agoran Mafia; pure.
Source: docs/reference/commands.md "Typed in Agoran Mafia".
"""

from typing import Final

from games.mafia.common.commands import FIRST, LAST, may
from games.mafia.common.rules.ballots import NOBODY
from games.text.typed import Action, Command, CommandEntry, View, Words


def _vote(words: Words, view: View) -> Command:
    """Vote for a citizen by name, or for nobody."""
    words.require_count(1, 1)
    return Action({"kind": "vote", "choice": _choice(words, view)})


def _unvote(words: Words, view: View) -> Command:
    words.require_count(0, 0)
    return Action({"kind": "vote", "choice": None})


def _target(words: Words, view: View) -> Command:
    """Choose a citizen for the night by name, or nobody."""
    words.require_count(1, 1)
    return Action({"kind": "choose", "target": _choice(words, view)})


def _none(words: Words, view: View) -> Command:
    """Choose nobody: as the night's target by night, as the vote by day."""
    words.require_count(0, 0)
    if "choose" in may(view):
        return Action({"kind": "choose", "target": NOBODY})
    return Action({"kind": "vote", "choice": NOBODY})


def _choice(words: Words, view: View) -> int | str:
    return NOBODY if words.rest[0].lower() == NOBODY else words.player(0, view)


#: All commands, in the order of the help page.
COMMANDS: Final = (
    *FIRST,
    CommandEntry(("vote", "v"), "!vote NAME|none", "vote by day", _vote, "vote"),
    CommandEntry(("unvote",), "!unvote", "have no opinion again", _unvote, "vote"),
    CommandEntry(("target", "t"), "!target NAME|none", "your choice by night", _target, "choose"),
    CommandEntry(("none",), "!none", "nobody: by night your choice, by day your vote", _none),
    *LAST,
)
