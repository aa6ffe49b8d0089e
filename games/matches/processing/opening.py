"""Rows of new matches: the first at a table, and the next game at the same one."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from accounts.models import User
from games import registry
from games.engine.draws import commitment
from games.engine.facts import Instant, SeatNo, as_datetime
from games.engine.structs import canonical, replace
from games.engine.table import COUNTDOWN, Table, TableState
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.projection import players

#: The separator between a table's name and the number of its game.
GAME = ", game "


def new_match(game: str, state: TableState[Any], at: Instant) -> Match:
    """Build an open match, not saved yet."""
    table = Table(registry.rules_of(game))
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
        begins_at=None if state.begins_at is UNSET else as_datetime(state.begins_at),
    )


def seat_all(match: Match, users: Sequence[User], at: Instant) -> None:
    """Save a match with these users on its seats, in order, as its opening."""
    match.origin_users = canonical({str(no): user.pk for no, user in enumerate(users)})
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, no=no, user=user, seen_at=as_datetime(at))
        for no, user in enumerate(users)
    )


def next_title(title: str) -> str:
    """Number a table's games from its second one on.

    >>> next_title("Back Room No. 7"), next_title("Back Room No. 7, game 2")
    ('Back Room No. 7, game 2', 'Back Room No. 7, game 3')
    """
    name, game, number = title.rpartition(GAME)
    return f"{name}{GAME}{int(number) + 1}" if game and number.isdigit() else f"{title}{GAME}2"


def open_successor(locked: LockedMatch, caller: SeatNo, owned: Mapping[int, int]) -> Match:
    """Open the next game at a table whose game is over; it keeps everybody's seat for 60 s.

    Call inside the batch that holds the table's lock.

    Args:
        owned: the balances of the people at the table, in points, by seat.
    """
    options = locked.table.next_options(locked.state)
    state = locked.table.open_next(locked.state, caller, options, locked.at, owned)
    if state.starting:
        state = replace(state, starting=False, start_at=Instant(locked.at + COUNTDOWN))
    match = new_match(locked.match.game, state, locked.at)
    match.title = next_title(locked.match.title)
    match.opened_by_id = locked.match.opened_by_id
    match.invited_id = locked.match.invited_id
    match.summary = canonical({"players": players(locked, state)})
    match.origin_users = canonical(
        {str(no): user_id for no, user_id in locked.seating.users.items()}
    )
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, no=no, user=seat.user, seen_at=locked.now, rating=seat.rating)
        for no, seat in locked.seats.items()
    )
    locked.successor = match.public_id
    return match
