"""Answers to questions about a duel, and confirmations of actions."""

from collections.abc import Mapping
from typing import Any, Final

from games.duel.commands import COMMANDS
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
from games.text.typed import Query, View


def answer(query: Query, view: View) -> str:
    """Answer a question in words, one line for each fact. Raises KeyError: there is no such
    question.
    """
    return _ANSWERS[query.kind](view)


def confirm(action: Mapping[str, Any], view: View) -> str:
    """Return one sentence that tells the result of an accepted action; only the sender gets it."""
    return confirmed(action, view, _CONFIRMATIONS)


def _status(view: View) -> str:
    """Tell the status of a duel, by the viewer's view."""
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
