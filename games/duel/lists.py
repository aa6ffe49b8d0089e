"""List rows of duels."""

from collections.abc import Mapping
from typing import Any

from games.duel.rules.state import DuelState, Reason, Stage


def row(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the duel fields of a row in the lobby."""
    bots = any(player["bot"] for player in summary.get("players", []))
    return {
        "best_of": options["best_of"],
        "no_ties": options["no_ties"],
        "clock_seconds": options["clock_seconds"],
        "stake": options["stake"],
        "rated": options["rated"] and not bots,
        "throw": summary.get("throw", 0),
        "wins": summary.get("wins", [0, 0]),
        "suspended": summary.get("suspended", False),
        "terms": _terms(options, bots=bots),
        "news": "{} : {}".format(*summary.get("wins", [0, 0])),
    }


def _terms(options: Mapping[str, Any], *, bots: bool) -> str:
    stake = f"stake {options['stake']}" if options["stake"] else ""
    rated = "rated" if options["rated"] and not bots else "casual"
    return f"Best of {options['best_of']} · {stake or rated}"


def summary(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a spectator's view that lists store. ``missed``: the seat whose first
    throw did not come, where that called a quick duel off.
    """
    result, told = view["result"], {}
    if result is not None and result["reason"] == Reason.MISSED:
        hands = view["throws"][-1]["hands"]
        told = {"missed": [no for no, hand in enumerate(hands) if hand is None]}
    return {
        "throw": view["throw"],
        "wins": [seat["wins"] for seat in view["seats"]],
        "suspended": view["stage"] == Stage.SUSPENDED,
        **told,
    }


def need(state: DuelState, seat: int) -> str | None:
    """Return the action that a duel waits for from a seat; a suspended one can wait for both."""
    mine = state.seats[seat]
    if state.stage == Stage.SUSPENDED:
        return "Your opponent is ready to continue" if state.opponent(mine).is_back else None
    return "Throw" if mine.hand is None else "Your opponent offers a break"
