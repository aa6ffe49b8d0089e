"""One line of a list of matches: what the lobby shows of a table or of a duel.

Source: docs/protocol.md "The lobby".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from games.models import Match
from games.reading.addresses import match_url
from games.reading.summaries import read_summary

Part = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]


def lobby_row(match: Match, watching: int) -> dict[str, Any]:
    """Return what lists show of a live match, with the number of those who look on."""
    options = json.loads(match.table)["options"]
    summary = read_summary(match.summary)
    return {
        "public_id": match.public_id,
        "game": match.game,
        "url": match_url(match),
        "title": match.title,
        "status": match.status,
        "seats": options["seats"],
        "players": summary.get("players", []),
        "spectators": match.spectators,
        "watching": watching,
        "quick": match.quick,
        **PARTS[match.game](options, summary),
    }


def _showdown(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "ante": options["ante"],
        "target": options["target"],
        "largest_purse": options["largest_purse"],
        "pot": summary.get("pot", 0),
        "round": summary.get("round", 0),
    }


def _duel(options: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
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
    }


#: Game -> what its rows show besides.
PARTS: Final[Mapping[str, Part]] = {"showdown": _showdown, "duel": _duel}
