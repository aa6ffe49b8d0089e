"""The chat commands of a duel, the answers to questions, and the confirmations of actions; pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.duel.rules.state import hand_named
from games.text.answers import Typing, in_game, names_of, who
from games.text.telling import name_of, people, points
from games.text.typed import (
    BOTS,
    HELP,
    READY,
    REMATCH,
    STAND,
    UNREADY,
    WHO,
    Action,
    Command,
    CommandEntry,
    View,
    Words,
    leave_or_stand,
    plain,
    plain_entry,
    query,
)


def _throw(words: Words, view: View) -> Command:
    words.require_count(1, 99)
    return Action({"kind": "throw", "hand": hand_named(words.rest[0]).value})


def _withdraw(words: Words, view: View) -> Command:
    """Withdraw a request for a suspension, or readiness to resume."""
    words.require_count(0, 0)
    is_suspended = (view["game"] or {}).get("stage") == "suspended"
    return Action({"kind": "withdraw_resume" if is_suspended else "withdraw_suspend"})


def _throw_this(hand: str, letter: str) -> CommandEntry:
    return CommandEntry(
        (hand, letter), f"!{hand}", f"throw {hand}", plain("throw", hand=hand), "throw"
    )


#: All commands of a duel, in the order of the help page.
COMMANDS: Final = (
    HELP,
    WHO,
    CommandEntry(("status",), "!status", "how the duel stands", query("status")),
    plain_entry("sit", "take the free seat"),
    STAND,
    READY,
    UNREADY,
    CommandEntry(
        ("throw", "hand"),
        "!throw ROCK|PAPER|SCISSORS",
        "choose your hand, for good",
        _throw,
        "throw",
    ),
    _throw_this("rock", "r"),
    _throw_this("paper", "p"),
    _throw_this("scissors", "s"),
    plain_entry("suspend", "ask to put the duel off, or agree to that"),
    plain_entry("resume", "be ready to continue"),
    CommandEntry(("withdraw",), "!withdraw", "take back either of the two", _withdraw),
    plain_entry("resign", "give the duel up"),
    CommandEntry(
        ("leave",), "!leave", "give up the duel, or your seat", leave_or_stand("resign"), "leave"
    ),
    REMATCH,
    *BOTS,
)


def _status(view: View) -> Iterator[str]:
    game, names = view["game"], names_of(view)
    score = ", ".join(f"{name_of(seat['no'], names)} {seat['wins']}" for seat in game["seats"])
    yield _STAGES[game["stage"]](game, names)
    yield f"Wins: {score}; {game['wins_needed']} win it."
    if game["stake"]:
        yield f"At stake: {points(game['stake'])} each."
    own = game["you"]
    if own and own["hand"]:
        yield f"Your hand is in: {own['hand']}."


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

TYPING: Final = Typing(
    COMMANDS,
    {"status": in_game(_status), "who": who},
    {
        "throw": "You throw {hand}.",
        "resign": "You resign.",
        "suspend": "You offer a break, or agree to one.",
        "withdraw_suspend": "You take the offer back.",
        "resume": "You are ready to continue.",
        "withdraw_resume": "You are not ready any more.",
    },
)
