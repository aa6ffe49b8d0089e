"""The table of chat commands of a duel; pure.
Source: docs/reference/commands.md "Typed in Duel".
"""

from collections.abc import Mapping
from typing import Any, Final

from games.duel.rules.hands import Hand, hand_named
from games.text.typed import (
    Action,
    Command,
    CommandEntry,
    Reader,
    View,
    Words,
    help_,
    plain,
    query,
    ready,
    remove_bot,
)


def _throw(words: Words, view: View) -> Command:
    """Read a hand by its first letter and ignore the rest.  Raises BadHand."""
    words.require_count(1, 99)
    return Action({"kind": "throw", "hand": hand_named(words.rest[0]).value})


def _throw_this(hand: Hand) -> Reader:
    """Return a reader for a hand's own command, such as !rock."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return Action({"kind": "throw", "hand": hand.value})

    return read


def _leave(words: Words, view: View) -> Command:
    """Resign a running duel, else stand up."""
    words.require_count(0, 0)
    return Action({"kind": "resign" if "resign" in _legal(view) else "stand"})


def _withdraw(words: Words, view: View) -> Command:
    """Withdraw a request for a suspension, or the readiness to resume."""
    words.require_count(0, 0)
    is_suspended = (view["game"] or {}).get("stage") == "suspended"
    return Action({"kind": "withdraw_resume" if is_suspended else "withdraw_suspend"})


def _legal(view: View) -> list[str]:
    game: Mapping[str, Any] = view["game"] or {}
    you = game.get("you")
    return you["legal"] if you else []


#: All commands of a duel, in the order of the help page.
COMMANDS: Final = (
    CommandEntry(("help", "h", "?"), "!help", "this list", help_),
    CommandEntry(("who",), "!who", "the players and the number of spectators", query("who")),
    CommandEntry(("status",), "!status", "how the duel stands", query("status")),
    CommandEntry(("sit",), "!sit", "take the free seat", plain("sit"), "sit"),
    CommandEntry(("stand",), "!stand", "give your seat back", plain("stand"), "stand"),
    CommandEntry(("ready",), "!ready", "agree to start with these options", ready, "ready"),
    CommandEntry(("unready",), "!unready", "take that back", plain("unready"), "unready"),
    CommandEntry(
        ("throw", "hand"),
        "!throw ROCK|PAPER|SCISSORS",
        "choose your hand, for good",
        _throw,
        "throw",
    ),
    CommandEntry(("rock", "r"), "!rock", "throw rock", _throw_this(Hand.ROCK), "throw"),
    CommandEntry(("paper", "p"), "!paper", "throw paper", _throw_this(Hand.PAPER), "throw"),
    CommandEntry(
        ("scissors", "s"), "!scissors", "throw scissors", _throw_this(Hand.SCISSORS), "throw"
    ),
    CommandEntry(
        ("suspend",),
        "!suspend",
        "ask to put the duel off, or agree to that",
        plain("suspend"),
        "suspend",
    ),
    CommandEntry(("resume",), "!resume", "be ready to continue", plain("resume"), "resume"),
    CommandEntry(("withdraw",), "!withdraw", "take back either of the two", _withdraw),
    CommandEntry(("resign",), "!resign", "give the duel up", plain("resign"), "resign"),
    CommandEntry(("leave",), "!leave", "give up the duel, or your seat", _leave, "leave"),
    CommandEntry(("rematch",), "!rematch", "play the same again", plain("rematch"), "rematch"),
    CommandEntry(
        ("bot", "add_bot", "addbot"), "!bot", "ask a bot to sit down", plain("add_bot"), "add_bot"
    ),
    CommandEntry(
        ("unbot", "remove_bot"), "!unbot BOT", "send a bot away", remove_bot, "remove_bot"
    ),
)
