"""Playing a match again from its logs: setup, then a fold over the input log.

Source: docs/durability.md G3; docs/architecture.md "What a match stores".
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from games.journal.recall import table_of
from games.kernel.facts import Instant, SeatNo
from games.models import Match


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay ended with, in canonical text, and whether it is what is stored."""

    table: str
    state: str
    is_same: bool


def replay_match(match: Match) -> Replay:
    """Fold the input log over the opening and compare the result with the stored state."""
    table = table_of(match)
    state = table.decode(match.origin, "")
    # A running match may go on meanwhile: what came after the row was read is not in its state.
    for row in match.actions.filter(no__lte=match.action_count).order_by("no"):
        action = json.loads(row.action)
        at = Instant(row.at_ms)
        seat = None if row.seat is None else SeatNo(row.seat)
        if table.is_house_action(action, seat):
            given = {**action, "seed": match.seed} if action["kind"] == "start" else action
            state = table.apply_house(state, given, at).state
        else:
            state = table.apply(state, seat, action, at).state
    stored, played = table.encode(state)
    return Replay(stored, played, (stored, played) == (match.table, match.state))
