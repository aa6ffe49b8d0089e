"""The view of a match: what one seat, or a spectator, may see of it.

A view is built for one viewer, field by field; nothing raw leaves.
Source: docs/protocol.md "The view"; docs/durability.md S1-S3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games import catalog
from games.journal.sitters import Sitter
from games.kernel.facts import Instant, Latest, SeatNo, Viewer, iso
from games.kernel.structs import plain
from games.kernel.table import OPEN, RUNNING
from games.reading.snapshots import Snapshot
from games.reading.summaries import is_rated


def match_view(
    snapshot: Snapshot, seat: int | None, presence: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Build what a seat (None: a spectator) may see of a match, field by field.

    Args:
        presence: the seats with a socket (``seats``) and the number of those who look on
            (``watching``), as this process knows them.
    """
    here = presence or {"seats": [], "watching": 0}
    common = common_part(snapshot, here)
    return {**common, "log": snapshot.lines, **own_part(snapshot, seat)}


def common_part(snapshot: Snapshot, presence: Mapping[str, Any]) -> dict[str, Any]:
    """Build what everybody who may look sees alike, except the log."""
    match, state = snapshot.match, snapshot.state
    return {
        "match": _match_part(snapshot, presence["watching"]),
        "phase": match.phase,
        "start_at": _iso(state.start_at),
        "due_at": _iso(snapshot.table.shown_deadline(state)) if state.stage == RUNNING else None,
        "seats": _seats_part(snapshot, presence["seats"]),
    }


def own_part(snapshot: Snapshot, seat: int | None) -> dict[str, Any]:
    """Build what depends on who looks: the seat's own affairs, and the game as it sees it."""
    state = snapshot.state
    viewer = Viewer(None if seat is None else SeatNo(seat))
    playing = state.play is not None
    return {
        "you": _you_part(snapshot, seat),
        "game": snapshot.table.rules.view(state.play, viewer) if playing else None,
    }


def _match_part(snapshot: Snapshot, watching: int) -> dict[str, Any]:
    match, state = snapshot.match, snapshot.state
    return {
        "public_id": match.public_id,
        "game": match.game,
        "title": match.title,
        "status": state.stage,
        "options": _OPTIONS.of(state.options),
        "options_revision": state.options_revision,
        "commitment": match.seed_commitment,
        "seed": match.seed if state.is_finished else None,
        "watching": watching,
        "void_reason": match.void_reason or None,
        "next": snapshot.successor,
        "stalled": match.stalled_at is not None,
        "rated": is_rated(state),
        "mark": match.mark,
        "challenge": _challenge(snapshot),
    }


#: The options by name, in the names' order.
_OPTIONS: Final = Latest(plain)


def _challenge(snapshot: Snapshot) -> dict[str, str] | None:
    """Return who challenged whom, while the duel has not begun."""
    if snapshot.challenge is None or snapshot.state.stage != OPEN:
        return None
    challenger, challenged = snapshot.challenge
    return {"from": challenger, "to": challenged}


def _seats_part(snapshot: Snapshot, present: Sequence[int]) -> list[dict[str, Any]]:
    shown, noted = [], snapshot.noted
    bonuses, ratings = noted.get("bonus", {}), noted.get("ratings", {})
    rating_changes = noted.get("rating_changes", {})
    for seat in snapshot.state.seats:
        sitter = snapshot.sitters.get(seat.no) if seat.taken else None
        rating = ratings.get(str(seat.no))
        player = {"name": sitter.name, "bot": sitter.bot, "rating": rating} if sitter else None
        shown.append(
            {
                "no": seat.no,
                "player": player,
                "purse": seat.purse,
                "ready": seat.ready,
                **_presence_part(snapshot, seat.no, sitter, present),
                "bonus": bonuses.get(str(seat.no), 0),
                "rating_change": rating_changes.get(str(seat.no)),
            }
        )
    return shown


def _presence_part(
    snapshot: Snapshot, seat: int, sitter: Sitter | None, present: Sequence[int]
) -> dict[str, Any]:
    """Tell whether somebody is there; by the day alone where it could tell a role."""
    if not catalog.table(snapshot.match.game).hides_presence:
        return {"present": bool(sitter and sitter.bot) or seat in present}
    day = sitter.seen_on if sitter else None
    return {"present": None, "seen_on": None if day is None else day.isoformat()}


def _you_part(snapshot: Snapshot, seat: int | None) -> dict[str, Any]:
    sitter = None if seat is None else snapshot.sitters.get(seat)
    least, most = snapshot.table.rules.purse_limits(snapshot.state.options)
    affordable = most if sitter is None else min(most, sitter.balance)
    return {
        "seat": seat,
        "name": sitter.name if sitter else None,
        "balance": sitter.balance if sitter else None,
        "stock": dict(sitter.stock) if sitter else None,
        "may": _may(snapshot, seat),
        "default_purse": max(affordable, least),
    }


def _iso(at: Instant | None) -> str | None:
    return None if at is None else iso(at)


def _may(snapshot: Snapshot, seat: int | None) -> list[str]:
    """Return the table's kinds that are open to a seat; a challenge has no seat for a bot."""
    kinds = snapshot.table.may(snapshot.state, None if seat is None else SeatNo(seat))
    return [kind for kind in kinds if kind != "add_bot" or snapshot.challenge is None]
