"""One row of a match list: a table or a duel in the lobby.

Source: docs/protocol.md "The lobby".
"""

import json
from typing import Any

from games import registry
from games.matches.models import Match
from games.matches.queries.addresses import match_url
from games.matches.queries.summaries import read_summary


def lobby_row(match: Match, watching: int) -> dict[str, Any]:
    """Return the list row of a live match, with the number of spectators."""
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
        "open_seats": summary.get("open_seats", 0),
        "spectators": match.spectators,
        "watching": watching,
        "mark": match.mark,
        **registry.table(match.game).lists.row(options, summary),
    }
