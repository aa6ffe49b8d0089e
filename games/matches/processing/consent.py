"""Consent at quick tables: readiness is for any opponent, while one is there.
Source: docs/rules/duel.md "Seats and setup"; docs/explanation/duels.md "Quick duels".
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET

from games.engine.facts import Instant, SeatNo, as_datetime
from games.engine.table import TableState
from games.engine.table.state import CONSENT_LIMIT, TableSeat, is_quick
from games.matches.queries import selectors

#: Milliseconds for which a press shows that one is there, as a heartbeat of a visible page does.
PRESSED: Final = 10_000


def absent(tables: Mapping[int, TableState[Any]], at: Instant) -> dict[int, list[SeatNo]]:
    """Return the ready seats of quick tables, by match, whose people are not there. One query where
    somebody has not just pressed, otherwise none.
    """
    asking = {
        match_id: seats
        for match_id, state in tables.items()
        if is_quick(state.options) and (seats := _waiting(state, at))
    }
    seen = selectors.there(asking, as_datetime(at)) if asking else {}
    return {
        match_id: [seat for seat in seats if seat not in seen.get(match_id, ())]
        for match_id, seats in asking.items()
    }


def _waiting(state: TableState[Any], at: Instant) -> list[SeatNo]:
    return [seat.no for seat in state.people if seat.ready and not _has_just_pressed(seat, at)]


def _has_just_pressed(seat: TableSeat, at: Instant) -> bool:
    return seat.ready_until is not UNSET and at < seat.ready_until - CONSENT_LIMIT + PRESSED
