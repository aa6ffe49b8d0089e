"""What a duel answers to questions, and its short sentences for what was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.grammar.telling import name_of, people, points
from games.grammar.typed import View


def status(view: View) -> str:
    """Tell how a duel stands, as this viewer may know it."""
    game, names = view["game"], _names(view)
    score = ", ".join(f"{name_of(seat['no'], names)} {seat['wins']}" for seat in game["seats"])
    lines = [_STAGES[game["stage"]](game, names), f"Wins: {score}; {game['wins_needed']} win it."]
    if game["stake"]:
        lines.append(f"At stake: {points(game['stake'])} each.")
    own = game["you"]
    if own and own["hand"]:
        lines.append(f"Your hand is in: {own['hand']}.")
    return "\n".join(lines)


def who(view: View) -> str:
    """Tell who sits at a table, who is there, and how many look on."""
    lines = []
    for seat in view["seats"]:
        player = seat["player"]
        if player:
            kind = "a bot" if player["bot"] else "here" if seat["present"] else "away"
            lines.append(f"Seat {seat['no'] + 1}: {player['name']}, {kind}.")
        else:
            lines.append(f"Seat {seat['no'] + 1}: free.")
    count = view["match"]["watching"]
    lines.append("One looks on." if count == 1 else f"{count or 'None'} look on.")
    return "\n".join(lines)


def _names(view: View) -> dict[int, str]:
    return {seat["no"]: seat["player"]["name"] for seat in view["seats"] if seat["player"]}


def _throwing(game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    waiting = [seat["no"] for seat in game["seats"] if not seat["hand_in"]]
    return f"Throw {game['throw']}: waiting for {people(waiting, names)}."


def _suspended(game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    away = [seat["no"] for seat in game["seats"] if not seat["is_back"]]
    return f"The duel is suspended: waiting for {people(away, names)}."


def _over(game: Mapping[str, Any], names: Mapping[int, str]) -> str:
    winners = (game["result"] or {}).get("winners")
    if not winners:
        return "The duel is over; nobody won it."
    return f"The duel is over; it went to {people(winners, names)}."


_STAGES: Final = {"throwing": _throwing, "suspended": _suspended, "over": _over}

#: Action -> what whoever typed it is told; the hand is told to nobody else.
CONFIRMATIONS: Final[Mapping[str, str]] = {
    "throw": "You throw {hand}.",
    "resign": "You resign.",
    "suspend": "You ask to suspend the duel, or agree to it.",
    "withdraw_suspend": "You no longer ask to suspend it.",
    "resume": "You are ready to go on.",
    "withdraw_resume": "You are not ready to go on after all.",
}
