"""The view of a match for one viewer, built field by field: no raw state is sent."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from games.engine.facts import IdentityCache, SeatNo, iso
from games.engine.structs import plain
from games.engine.table import OPEN, OVER, RUNNING
from games.engine.table.state import offered_purse
from games.matches.journal.snapshots import Snapshot
from games.matches.queries.ratings import is_rated

#: Bytes: where roles are hidden, a seat's own part is padded to a multiple of this.
FULL: Final = 1024


def match_view(
    snapshot: Snapshot, seat: int | None, presence: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Build a view for a seat (None: a spectator); ``presence``: as ``presences`` has it."""
    here = presence or {"seats": [], "watching": 0}
    game = game_part(snapshot)
    return {
        **head_part(snapshot, here),
        **pace_part(snapshot),
        "log": [json.loads(line.text) for line in snapshot.lines],
        "you": you_part(snapshot, seat),
        "game": None if game is None else {**game, "you": own_game_part(snapshot, seat)},
    }


def head_part(snapshot: Snapshot, presence: Mapping[str, Any]) -> dict[str, Any]:
    """Build the part that is the same for everybody: the match and its seats."""
    match, state = snapshot.match, snapshot.state
    # The challenger and the challenged, while the game has not begun.
    names = snapshot.challenge if state.stage == OPEN else None
    shown = {
        "public_id": match.public_id,
        "game": match.game,
        "title": match.title,
        "status": state.stage,
        "options": _OPTIONS.of(state.options),
        "options_revision": state.options_revision,
        "commitment": match.seed_commitment,
        "seed": match.seed if state.is_finished else None,
        "watching": presence["watching"],
        "void_reason": match.void_reason or None,
        "next": snapshot.successor,
        "stalled": match.stalled_at is not None,
        "rated": is_rated(snapshot.game, state) if state.stage == OPEN else match.is_rated,
        "old_scale": snapshot.is_old_scale,
        "mark": match.mark,
        "challenge": None if names is None else {"from": names[0], "to": names[1]},
    }
    return {"match": shown, "seats": _seats_part(snapshot, presence["seats"])}


#: Cache of the options by name, in the order of names.
_OPTIONS: Final = IdentityCache(plain)


def around(snapshot: Snapshot, presence: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what the head and the seats' own parts depend on, to compare by identity."""
    match, state = snapshot.match, snapshot.state
    return (
        *(presence, state.seats, state.options, snapshot.sitters, snapshot.replaced),
        *(snapshot.open_seats, snapshot.challenge, snapshot.successor),
        (state.stage, state.options_revision, match.stalled_at, match.void_reason, match.is_rated),
        (match.public_id, match.title, match.mark, snapshot.is_old_scale),
        # What may be asked for follows from these too.
        (state.start_at is None, state.begins_at, state.is_logged, state.awaits_log),
        match.summary if snapshot.table.rules.plays_out else None,
    )


def beside(snapshot: Snapshot) -> tuple[Any, ...]:
    """Return what each seat's own part of the table depends on, besides the seat and who sits
    there.
    """
    state, taken = snapshot.state, snapshot.state.taken
    # Before the start its summary changes with each readiness.
    may_play_out = snapshot.table.rules.plays_out and state.stage == RUNNING
    return (
        *(state.stage, state.options, snapshot.challenge is None, snapshot.open_seats),
        *(len(taken) < len(state.seats), [seat.no for seat in taken if seat.bot], state.may_reveal),
        *(state.awaits_log, snapshot.match.summary if may_play_out else None),
    )


def pace_part(snapshot: Snapshot) -> dict[str, Any]:
    """Build the part that changes with every move: the phase and the clock."""
    state = snapshot.state
    is_open = state.stage == OPEN
    until = state.unready_until if is_open else None
    due_at = snapshot.table.shown_deadline(state) if state.stage == RUNNING else None
    return {
        "phase": snapshot.match.phase,
        "start_at": None if state.start_at is None else iso(state.start_at),
        "begins_at": None if state.begins_at is UNSET else iso(state.begins_at),
        "ready_by": None if until is None else iso(until),
        "newcomer": state.newcomer if is_open else None,
        "due_at": None if due_at is None else iso(due_at),
    }


def game_part(snapshot: Snapshot) -> dict[str, Any] | None:
    play = snapshot.state.play
    return None if play is None else snapshot.table.rules.public_view(play)


def own_game_part(snapshot: Snapshot, seat: int | None) -> dict[str, Any] | None:
    play = snapshot.state.play
    if play is None or seat is None:
        return None
    own: dict[str, Any] | None = snapshot.table.rules.own_view(play, SeatNo(seat))
    return filled(own) if own is not None and snapshot.game.hides_presence else own


def filled(
    own: Mapping[str, Any], write: Callable[[Any], str | bytes] = msgspec.json.encode
) -> dict[str, Any]:
    """Add padding, so that all texts of ``write`` are equally long: sizes show through TLS."""
    bare = {**own, "fill": ""}
    return {**bare, "fill": "." * (-len(write(bare)) % FULL)}


def _seats_part(snapshot: Snapshot, present: Sequence[int]) -> list[dict[str, Any]]:
    open_seats, shown, replaced = snapshot.open_seats, [], snapshot.replaced
    has_afterwords = snapshot.game.afterword and snapshot.state.stage == OVER
    for seat in snapshot.state.seats:
        sitter = snapshot.sitters.get(seat.no) if seat.taken else None
        player = sitter and {
            "name": sitter.name,
            "bot": sitter.bot,
            "avatar": sitter.avatar,
            "rating": sitter.rating,
        }
        if player and has_afterwords and (says := _afterword(snapshot, seat.no)):
            player["says"] = says
        here: dict[str, Any] = {"present": bool(sitter and sitter.bot) or seat.no in present}
        if snapshot.game.hides_presence:
            # Only the day last seen: more could reveal a role.
            day = sitter.seen_on if sitter else None
            here = {"present": None, "seen_on": None if day is None else day.isoformat()}
        shown.append(
            {
                "no": seat.no,
                "player": player,
                "purse": seat.purse,
                "ready": seat.ready,
                "is_open": seat.no in open_seats,
                "replaced": [g.user.username for g in replaced if g.no == seat.no]
                if replaced
                else [],
                **here,
                "bonus": sitter.bonus if sitter else 0,
                "award": list(sitter.award) if sitter else [0, 0],
                "rating_change": sitter.rating_change if sitter else None,
            }
        )
    return shown


def _afterword(snapshot: Snapshot, seat: SeatNo) -> str:
    """Return what a bot says after a game, empty for people."""
    says, sitter = snapshot.game.afterword, snapshot.sitters[seat]
    if says is None or not sitter.bot:
        return ""
    return says(sitter.name, snapshot.table.rules.public_view(snapshot.state.play), seat)


def you_part(snapshot: Snapshot, seat: int | None) -> dict[str, Any]:
    """Build the seat's own part of the table: belongings and allowed kinds of action."""
    table, state = snapshot.table, snapshot.state
    sitter = None if seat is None else snapshot.sitters.get(seat)
    limits = table.rules.purse_limits(state.options)
    kinds = table.may(state, None if seat is None else SeatNo(seat))
    return {
        "seat": seat,
        "name": sitter.name if sitter else None,
        "balance": sitter.balance if sitter else None,
        "stock": dict(sitter.stock) if sitter else None,
        "salt_hash": None if seat is None else state.seats[seat].salt_hash or None,
        # A challenge has no seat for a bot.
        "may": [kind for kind in kinds if kind != "add_bot" or snapshot.challenge is None],
        "default_purse": offered_purse(limits, sitter.balance) if sitter else None,
        "purse_cut": 0 if seat is None else state.seats[seat].cut,
    }
