"""The arena in sentences; pure.

Source: docs/rules/arena.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.arena.commands import COMMANDS
from games.grammar.answers import help_text
from games.grammar.typed import Query

View = Mapping[str, Any]
Data = Mapping[str, Any]
Names = Mapping[int, str]

_RESULTS: Final = {"won": "won", "lost": "lost", "tied": "tied", "none": "had no battle in"}
_REASONS: Final = {
    "left": "You have left the arena.",
    "idle": "You were moved to watching: too many rounds without a choice.",
    "gone": "You were moved to watching: your connection was away for too long.",
    None: "You watch; !join lets you in.",
}


def why(how: str, move: str, wins: int, losses: int) -> str | None:
    """Say why a move was made for a player; None where the player chose or sat out.

    >>> why("best", "rock", 3, 1)
    'Your streak is −5 or lower: rock was the best reply to the choices of the others, 3 won, 1 lost.'
    """
    if how == "best":
        return (
            f"Your streak is −5 or lower: {move} was the best reply to the choices of the others,"
            f" {wins} won, {losses} lost."
        )
    return f"You chose nothing: {move} was drawn for you." if how == "random" else None


def options_told(options: Mapping[str, bool]) -> str:
    """Name the options that are on.

    >>> options_told({"blitz": True, "count": True, "team": False})
    'Blitz, Count'
    """
    return ", ".join(name.capitalize() for name, is_on in options.items() if is_on) or "none"


def status(view: View) -> str:
    """Tell how the arena stands and how one stands in it."""
    arena, you = view["arena"], view["you"]
    lines = [
        f"Round {arena['round']} is being chosen for; options: {options_told(arena['options'])}."
        if arena["state"] == "selecting"
        else "The arena rests until somebody joins.",
        f"In: {arena['people']} and {arena['bots']} bots.",
    ]
    if you is None:
        return "\n".join([*lines, "Log in to play."])
    if you["is_in"]:
        lines.append(f"Your choice: {you['choice'] or 'nothing yet'}.")
    else:
        lines.append(_REASONS[you["is_watching_because"]])
    lines.append(f"Score {you['score']}, streak {you['streak']}, best streak {you['best_streak']}.")
    last = you["last"]
    if last is not None:
        lines.append(f"You {_RESULTS[last['result']]} round {last['round']}.")
    return "\n".join(lines)


def answer(query: Query, view: View) -> str:
    """Answer a typed question; raises KeyError for one that the arena does not know."""
    return {"help": lambda: help_text(COMMANDS), "status": lambda: status(view)}[query.kind]()


_CONFIRMATIONS: Final[Mapping[str, Callable[[Data], str]]] = {
    "choose": lambda action: f"You choose {action['move'] or 'nothing'}.",
    "join": lambda action: "You are in.",
    "leave": lambda action: "You leave; a round under way still counts.",
    "prefer": lambda action: f"{action['option'].capitalize()}: {action['value']}.",
    "reset": lambda action: "All your figures go back to 0; a round under way still counts first.",
}


def confirm(action: Data, view: View) -> str:
    """Say in one sentence what an accepted action did."""
    return _CONFIRMATIONS[action["kind"]](action)
