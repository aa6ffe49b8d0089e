"""New matches as rows: the first at a table, and the next game at the same one."""

from __future__ import annotations

import secrets

from games import catalog
from games.kernel.draws import commitment
from games.kernel.facts import Instant, SeatNo, as_datetime
from games.kernel.structs import canonical, replace
from games.kernel.table import COUNTDOWN, Table, TableState
from games.models import Match, Seat
from games.play.desk import Desk


def new_match(game: str, state: TableState, at: Instant) -> Match:
    """Return an open match, not saved yet."""
    table = Table(catalog.rules_of(game))
    text, play = table.encode(state)
    seed = secrets.token_hex(32)
    due_at = table.deadline(state)
    return Match(
        game=game,
        rules_version=table.rules.version,
        listed=state.options.listed,
        spectators=state.options.spectators,
        origin=text,
        table=text,
        state=play,
        summary=canonical({"players": []}),
        seed=seed,
        seed_commitment=commitment(seed),
        at_ms=at,
        due_at=None if due_at is None else as_datetime(due_at),
        wake_at=None if due_at is None else as_datetime(due_at),
        opened_at=as_datetime(at),
    )


def open_successor(desk: Desk, caller: SeatNo) -> Match:
    """Open the next game at a table whose game is over; everybody keeps the seat for 60 s.

    Call inside the batch that holds the table's lock.
    """
    options = desk.table.next_options(desk.state)
    state = desk.table.open_next(desk.state, caller, options, desk.at)
    if state.starting:
        state = replace(state, starting=False, start_at=Instant(desk.at + COUNTDOWN))
    match = new_match(desk.match.game, state, desk.at)
    match.title = desk.match.title
    match.opened_by_id = desk.match.opened_by_id
    match.invited_id = desk.match.invited_id
    match.summary = canonical({"players": desk.players(state), "ratings": desk.ratings})
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, no=no, user=seat.user, seen_at=desk.now)
        for no, seat in desk.seats.items()
    )
    desk.successor = match.public_id
    return match
