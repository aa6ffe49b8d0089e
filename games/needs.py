"""What a user's own tables ask of them, in a few words, and the balance beside it.

Source: docs/protocol.md "One's own affairs".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from economy.selectors import balances_of
from games import selectors
from games.models import Match, Seat
from games.rules.kernel import SeatNo
from games.rules.table import OPEN, RUNNING
from games.snapshots import Snapshot

#: Stage of a running game -> what somebody who has to decide is told.
WHAT: Final[Mapping[str, str]] = {
    "betting": "Your turn to bet",
    "round": "Choose your weapons",
}


@dataclass(frozen=True, slots=True)
class Affairs:
    """One user's points, the tables that wait for them, and all live tables they sit at."""

    balance: int
    needs_you: list[dict[str, str]]
    match_ids: frozenset[int]


def affairs_of(user_ids: Iterable[int]) -> dict[int, Affairs]:
    """Return the affairs of several users: two queries, three more when any of them sits."""
    users = list(user_ids)
    needs, tables = _needs(users)
    return {
        user_id: Affairs(balance, needs.get(user_id, []), frozenset(tables.get(user_id, ())))
        for user_id, balance in balances_of(users).items()
    }


def needs_of(user_id: int) -> list[dict[str, str]]:
    """Return the tables that wait for a user: title, url and what for; newest first."""
    return _needs([user_id])[0].get(user_id, [])


def need_of(snapshot: Snapshot, seat: int) -> str | None:
    """Return what a table wants of a seat now, None when it can wait."""
    state = snapshot.state
    if state.stage == OPEN:
        return None if state.seats[seat].ready else "Get ready"
    if state.stage != RUNNING or state.play is None:
        return None
    if SeatNo(seat) not in snapshot.table.rules.pending_seats(state.play):
        return None
    return WHAT.get(getattr(state.play, "stage", ""), "It is your move")


def _needs(
    user_ids: list[int],
) -> tuple[dict[int, list[dict[str, str]]], dict[int, list[int]]]:
    seats = Seat.objects.filter(user__in=user_ids, match__status__in=Match.LIVE)
    rows = list(seats.order_by("-match_id").values_list("user_id", "match_id", "no"))
    snapshots = selectors.snapshots({match_id for _, match_id, _ in rows}) if rows else {}
    needs: dict[int, list[dict[str, str]]] = defaultdict(list)
    tables: dict[int, list[int]] = defaultdict(list)
    for user_id, match_id, no in rows:
        tables[user_id].append(match_id)
        snapshot = snapshots.get(match_id)
        what = need_of(snapshot, no) if snapshot else None
        if snapshot is not None and what is not None:
            match = snapshot.match
            url = reverse("table", args=[match.public_id])
            needs[user_id].append({"title": match.title, "url": url, "what": what})
    return needs, tables
