"""What can be typed at a game of Agoran Mafia, as one table; pure.

Source: docs/agora.md "Commands".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.grammar.entries import (
    CommandEntry,
    free_seat,
    help_,
    plain,
    query,
    ready,
    remove_bot,
    take_over,
)
from games.grammar.typed import Action, Command, View, Words
from games.mafia.rules.ballots import NOBODY


def _sit(words: Words, view: View) -> Command:
    """Take the first free seat; one brings nothing."""
    words.require_count(0, 0)
    return Action({"kind": "sit", "seat": free_seat(view)})


def _leave(words: Words, view: View) -> Command:
    """Leave town for good, or stand up where no game runs."""
    words.require_count(0, 0)
    return Action({"kind": "leave" if "leave" in _may(view) else "stand"})


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
    """Choose nobody: by night for one's action, by day with one's vote."""
    words.require_count(0, 0)
    if "choose" in _may(view):
        return Action({"kind": "choose", "target": NOBODY})
    return Action({"kind": "vote", "choice": NOBODY})


def _choice(words: Words, view: View) -> int | str:
    return NOBODY if words.rest[0].lower() == NOBODY else words.player(0, view)


def _may(view: View) -> list[str]:
    game: Mapping[str, Any] = view["game"] or {}
    you = game.get("you")
    return you["may"] if you else []


#: Everything that can be typed, in the order of the help page.
COMMANDS: Final = (
    CommandEntry(("help", "h", "?"), "!help", "this list", help_),
    CommandEntry(("who",), "!who", "who plays here, and how many look on", query("who")),
    CommandEntry(("status",), "!status", "how it stands, and your own card", query("status")),
    CommandEntry(("votes",), "!votes", "who votes for whom, and how many it takes", query("votes")),
    CommandEntry(("history",), "!history", "the last night and the last day", query("history")),
    CommandEntry(("sit",), "!sit", "take a free seat", _sit, "sit"),
    CommandEntry(
        ("take", "sub"), "!take [NAME]", "take over a seat that is open", take_over, "take_over"
    ),
    CommandEntry(("stand",), "!stand", "give your seat back", plain("stand"), "stand"),
    CommandEntry(("ready",), "!ready", "agree to start with these options", ready, "ready"),
    CommandEntry(("unready",), "!unready", "take that back", plain("unready"), "unready"),
    CommandEntry(("vote", "v"), "!vote NAME|none", "vote by day", _vote, "vote"),
    CommandEntry(("unvote",), "!unvote", "have no opinion again", _unvote, "vote"),
    CommandEntry(("target", "t"), "!target NAME|none", "your choice by night", _target, "choose"),
    CommandEntry(("none",), "!none", "nobody: by night your choice, by day your vote", _none),
    CommandEntry(("done",), "!done", "the night need not wait for you", plain("done"), "done"),
    CommandEntry(("undone",), "!undone", "take that back", plain("undone"), "undone"),
    CommandEntry(("leave",), "!leave", "leave town for good, or your seat", _leave, "leave"),
    CommandEntry(("rematch",), "!rematch", "play the same again", plain("rematch"), "rematch"),
    CommandEntry(
        ("bot", "add_bot", "addbot"), "!bot", "ask a bot to sit down", plain("add_bot"), "add_bot"
    ),
    CommandEntry(
        ("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot, "remove_bot"
    ),
)  # fmt: skip
