"""The chat commands of a duel, the answers to questions, and the confirmations of actions; pure."""

from collections.abc import Mapping
from typing import Any, Final

from games.duel.rules.state import Hand, hand_named
from games.text.answers import (
    TABLE_CONFIRMATIONS,
    Answer,
    Confirmation,
    confirmed,
    filled,
    fixed,
    help_text,
    names_of,
    table_status,
    who,
)
from games.text.telling import name_of, people, points
from games.text.typed import (
    Action,
    Command,
    CommandEntry,
    Query,
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
    words.require_count(1, 99)
    return Action({"kind": "throw", "hand": hand_named(words.rest[0]).value})


def _throw_this(hand: Hand) -> Reader:
    """Return the reader of a hand's own command, such as !rock."""

    def read(words: Words, view: View) -> Command:
        words.require_count(0, 0)
        return Action({"kind": "throw", "hand": hand.value})

    return read


def _leave(words: Words, view: View) -> Command:
    """Resign a running duel, else stand up."""
    words.require_count(0, 0)
    return Action({"kind": "resign" if "resign" in _legal(view) else "stand"})


def _withdraw(words: Words, view: View) -> Command:
    """Withdraw a request for a suspension, or readiness to resume."""
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


def answer(query: Query, view: View) -> str:
    """Answer a question in words, one line for each fact."""
    return _ANSWERS[query.kind](view)


def confirm(action: Mapping[str, Any], view: View) -> str:
    """Return the sentence to the sender of an accepted action."""
    return confirmed(action, view, _CONFIRMATIONS)


def _status(view: View) -> str:
    game, names = view["game"], names_of(view)
    if game is None:
        return table_status(view)
    score = ", ".join(f"{name_of(seat['no'], names)} {seat['wins']}" for seat in game["seats"])
    lines = [_STAGES[game["stage"]](game, names), f"Wins: {score}; {game['wins_needed']} win it."]
    if game["stake"]:
        lines.append(f"At stake: {points(game['stake'])} each.")
    own = game["you"]
    if own and own["hand"]:
        lines.append(f"Your hand is in: {own['hand']}.")
    return "\n".join(lines)


def _throwing(game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    waiting = [seat["no"] for seat in game["seats"] if not seat["hand_in"]]
    return f"Throw {game['throw']}: waiting for {people(waiting, names)}."


def _suspended(game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    away = [seat["no"] for seat in game["seats"] if not seat["is_back"]]
    return f"On a break: waiting for {people(away, names)}."


def _over(game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    winners = (game["result"] or {}).get("winners")
    if not winners:
        return "The duel is over; nobody won it."
    return f"The duel is over; it went to {people(winners, names)}."


_STAGES: Final = {"throwing": _throwing, "suspended": _suspended, "over": _over}

_ANSWERS: Final[Mapping[str, Answer]] = {
    "help": lambda view: help_text(COMMANDS, view),
    "status": _status,
    "who": who,
}

_CONFIRMATIONS: Final[Mapping[str, Confirmation]] = {
    **TABLE_CONFIRMATIONS,
    "throw": filled("You throw {hand}."),
    "resign": fixed("You resign."),
    "suspend": fixed("You offer a break, or agree to one."),
    "withdraw_suspend": fixed("You take the offer back."),
    "resume": fixed("You are ready to continue."),
    "withdraw_resume": fixed("You are not ready any more."),
}
