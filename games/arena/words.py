"""Texts of the arena; pure.
Source: docs/rules/arena.md.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.arena.commands import COMMANDS
from games.text.answers import help_text
from games.text.typed import Query

View = Mapping[str, Any]
Data = Mapping[str, Any]

#: The options in short; an option's name is its key, capitalised.
OPTIONS: Final[Mapping[str, str]] = {
    "blitz": "3 seconds to choose instead of 5",
    "classic": "no bonuses for streaks",
    "inverted": "reversed: scissors beat rock",
    "count": "with too many on the losing move, a battle is tied or reversed",
    "team": "two random teams; you battle the other one only",
    "survivor": "three lives; a lost round costs one",
}
RESULTS: Final[Mapping[str, str]] = {
    "won": "You won the round",
    "lost": "You lost the round",
    "tied": "The round was a tie",
    "none": "You had no battle",
}
#: Why somebody only watches, "" for no reason -> the text.
WATCHING: Final[Mapping[str, str]] = {
    "left": "You have left the arena. Your figures are kept.",
    "idle": "You were moved to watching after too many rounds without a choice."
    " Your figures are kept.",
    "gone": "You were moved to watching because your connection was lost. Your figures are kept.",
    "": "You can join at any time, and play in the current round.",
}
#: What happens when the round is over -> the text.
WAITING: Final[Mapping[str, str]] = {
    "leave": "You leave when the round is over. Your choice still counts.",
    "reset": "All your figures go back to 0 when the round is over. It still counts.",
}
RESTING: Final = "The arena rests"
#: The words of the board.
BOARD: Final[Mapping[str, Any]] = {
    "options": OPTIONS,
    "results": RESULTS,
    "watching": WATCHING,
    "waiting": WAITING,
    "resting": RESTING,
}


def headline(no: int, reason: str, fight: Mapping[str, Any] | None) -> str:
    """Return a round that is over in a line, for its preview card.

    Args:
        reason: why the round ended so.
        fight: the part of the player through whose eyes it is shown, or None.

    >>> headline(1204, "4 papers beat 3 rocks.", None)
    'Round 1,204: 4 papers beat 3 rocks'
    >>> headline(7, "", {"name": "ann", "result": "won", "move": "paper"})
    'ann won round 7 with Paper'
    """
    if fight is None or fight["result"] == "none":
        return f"Round {no:,}: {reason.rstrip('.')}"
    return f"{fight['name']} {fight['result']} round {no:,} with {fight['move'].title()}"


def why(how: str, move: str, wins: int, losses: int) -> str | None:
    """Return why a move was made for a player; None if the player chose or sat out.

    >>> why("best", "rock", 3, 1)
    'Your streak is -5 or lower: rock was the best reply to all others, 3 won, 1 lost.'
    """
    if how == "best":
        return (
            f"Your streak is -5 or lower: {move} was the best reply to all others,"
            f" {wins} won, {losses} lost."
        )
    return f"You chose nothing: {move} was drawn for you." if how == "random" else None


def options_told(options: Mapping[str, bool]) -> str:
    """Return the names of the options that are on.

    >>> options_told({"blitz": True, "count": True, "team": False})
    'Blitz, Count'
    """
    return ", ".join(name.capitalize() for name, is_on in options.items() if is_on) or "none"


def status(view: View) -> str:
    """Return the status of the arena and of the viewer in it."""
    arena, you = view["arena"], view["you"]
    lines = [
        f"Round {arena['round']} is being chosen for; options: {options_told(arena['options'])}."
        if arena["state"] == "selecting"
        else f"{RESTING} until somebody joins.",
        f"In: {arena['people']} and {arena['bots']} bots.",
    ]
    if you is None:
        return "\n".join([*lines, "Log in to play."])
    if you["is_in"]:
        lines.append(f"Your choice: {you['choice'] or 'nothing yet'}.")
    else:
        lines.append(WATCHING[you["is_watching_because"] or ""])
    lines.append(f"Score {you['score']}, streak {you['streak']}, best streak {you['best_streak']}.")
    last = you["last"]
    if last is not None:
        lines.append(f"Round {last['round']}: {RESULTS[last['result']]}.")
    return "\n".join(lines)


def answer(query: Query, view: View) -> str:
    """Answer a typed question; raises KeyError for one that the arena does not know."""
    return {"help": lambda: help_text(COMMANDS), "status": lambda: status(view)}[query.kind]()


_CONFIRMATIONS: Final[Mapping[str, str]] = {
    "choose": "You choose {move}.",
    "join": "You are in.",
    "prefer": "{option}: {value}.",
    **WAITING,
}


def confirm(action: Data, view: View) -> str:
    """Return one sentence that confirms an accepted action."""
    given = {name: value or "nothing" for name, value in action.items()}
    said = _CONFIRMATIONS[action["kind"]].format_map(given)
    return said[0].upper() + said[1:]
