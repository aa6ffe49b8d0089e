"""The chat commands of all Mafia games; each game adds its own commands in between.
Source: docs/reference/commands.md "Typed in Agoran Mafia".
"""

from collections.abc import Mapping
from typing import Any, Final

from games.text.typed import (
    Action,
    Command,
    CommandEntry,
    View,
    Words,
    help_,
    plain,
    query,
    ready,
    remove_bot,
    take_over,
)


def may(view: View) -> list[str]:
    """Return the kinds of actions that the viewer may do in the game now."""
    game: Mapping[str, Any] = view["game"] or {}
    you = game.get("you")
    return you["may"] if you else []


def _leave(words: Words, view: View) -> Command:
    """Leave the town for good, or give the seat back when no game runs."""
    words.require_count(0, 0)
    return Action({"kind": "leave" if "leave" in may(view) else "stand"})


#: The beginning of the help page: questions, and commands to take a seat.
FIRST: Final = (
    CommandEntry(("help", "h", "?"), "!help", "this list", help_),
    CommandEntry(("who",), "!who", "the players and the number of spectators", query("who")),
    CommandEntry(("status",), "!status", "how it stands, and your own card", query("status")),
    CommandEntry(("votes",), "!votes", "who votes for whom", query("votes")),
    CommandEntry(("history",), "!history", "the last night and the last day", query("history")),
    CommandEntry(("sit",), "!sit", "take a free seat", plain("sit"), "sit"),
    CommandEntry(
        ("take", "sub"), "!take [NAME]", "take over a seat that is open", take_over, "take_over"
    ),
    CommandEntry(("stand",), "!stand", "give your seat back", plain("stand"), "stand"),
    CommandEntry(("ready",), "!ready", "agree to start with these options", ready, "ready"),
    CommandEntry(("unready",), "!unready", "take that back", plain("unready"), "unready"),
)
#: The end of the help page: check-in, leaving, and bots.
LAST: Final = (
    CommandEntry(("done",), "!done", "nobody need wait for you", plain("done"), "done"),
    CommandEntry(("undone",), "!undone", "take that back", plain("undone"), "undone"),
    CommandEntry(("leave",), "!leave", "leave town for good, or your seat", _leave, "leave"),
    CommandEntry(("rematch",), "!rematch", "play the same again", plain("rematch"), "rematch"),
    CommandEntry(
        ("end", "play_out"), "!end", "see how it ends when only bots live", plain("play_out"),
        "play_out",
    ),
    CommandEntry(
        ("bot", "add_bot", "addbot"), "!bot", "ask a bot to sit down", plain("add_bot"), "add_bot"
    ),
    CommandEntry(
        ("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot, "remove_bot"
    ),
)  # fmt: skip
