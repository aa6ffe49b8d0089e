"""Rows of new matches: the first at a table, and the next game at the same one."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, Self

from django.conf import settings
from django.db.models import CharField, DateTimeField
from msgspec import UNSET

from accounts.models import User
from economy.sql import Compiled, Given, create
from games import registry
from games.engine.draws import commitment
from games.engine.facts import Instant, SeatNo, as_datetime
from games.engine.structs import canonical, replace
from games.engine.table import COUNTDOWN, Table, TableState
from games.matches.models import LogLeaf, Match, Pledge, Seat
from games.matches.models.matches import new_public_id
from games.matches.processing.locked_match import LockedMatch, players

#: Milliseconds until the house looks again whether the public log has an opening.
AWAIT_LOG: Final = 1000
#: The separator between a table's name and the number of its game.
GAME = ", game "


class Seal(NamedTuple):
    """The secret of a match and what its commitment binds it to."""

    public_id: str
    rules_version: int
    seed: str

    @property
    def commitment(self) -> str:
        return commitment(self.seed, self.public_id, self.rules_version)

    @classmethod
    def of(cls, pledged: Pledge) -> Self:
        return cls(pledged.public_id, pledged.rules_version, pledged.seed)


def new_seal(game: str) -> Seal:
    return Seal(new_public_id(), registry.rules_of(game).version, secrets.token_hex(32))


def awaits_log(commitment: str, at: datetime) -> bool:
    """Whether no salt may be asked for and nothing dealt yet: the log lacks the opening."""
    # A leaf's text has its instant in whole milliseconds, as a journal.
    until = at + timedelta(milliseconds=1)
    return settings.DEAL_AFTER_LOG and not _LOGGED.rows(commitment=commitment, until=until)


_LOGGED: Final = Compiled(
    lambda: LogLeaf.objects.filter(
        at__lt=Given("until", DateTimeField()),
        commitment=Given("commitment", CharField()),
        kind__in=(LogLeaf.Kind.OPENED, LogLeaf.Kind.EVENT),
    ).values_list("pk")[:1]
)


def new_match(game: str, state: TableState[Any], at: Instant, sealed: Seal | None = None) -> Match:
    """Build an open match, not saved yet; ``sealed``: its seed, if committed before."""
    table = Table(registry.rules_of(game))
    text, play = table.encode(state)
    due_at = table.deadline(state)
    sealed = sealed or new_seal(game)
    return Match(
        public_id=sealed.public_id,
        game=game,
        rules_version=sealed.rules_version,
        listed=state.options.listed,
        spectators=state.options.spectators,
        origin=text,
        table=text,
        state=play,
        summary=canonical({"players": []}),
        seed=sealed.seed,
        seed_commitment=sealed.commitment,
        at_ms=at,
        due_at=None if due_at is None else as_datetime(due_at),
        wake_at=None if due_at is None else as_datetime(due_at),
        opened_at=as_datetime(at),
        begins_at=None if state.begins_at is UNSET else as_datetime(state.begins_at),
    )


def seat_all(opened: Iterable[tuple[Match, Sequence[User]]]) -> None:
    """Save matches with these users on their seats, in order, as their openings."""
    seats = []
    for match, users in opened:
        match.origin_users = canonical({str(no): user.pk for no, user in enumerate(users)})
        create([match])
        at = match.opened_at
        seats += [Seat(match=match, no=no, user=user, seen_at=at) for no, user in enumerate(users)]
    create(seats)


def next_title(title: str) -> str:
    """Number a table's games from its second one on."""
    name, game, number = title.rpartition(GAME)
    return f"{name}{GAME}{int(number) + 1}" if game and number.isdigit() else f"{title}{GAME}2"


def open_successor(
    locked: LockedMatch, caller: SeatNo, salt_hash: str | None, owned: Mapping[int, int]
) -> Match:
    """Open the next game at a table whose game is over, inside its batch. ``owned``: the people's
    balances by seat.
    """
    options = locked.table.next_options(locked.state)
    state = locked.table.open_next(locked.state, caller, options, locked.at, owned)
    if salt_hash and state.seats[caller].ready:
        state = locked.table.with_hash(state, caller, salt_hash, locked.at)
    if state.starting:
        wait = AWAIT_LOG if state.needs_log else COUNTDOWN
        state = replace(state, starting=False, start_at=Instant(locked.at + wait))
    if locked.table.rules.carry_over(locked.state.play):
        state = replace(state, follows=locked.match.seed_commitment)
    match = new_match(locked.match.game, state, locked.at)
    match.title = next_title(locked.match.title)
    match.opened_by_id = locked.match.opened_by_id
    match.invited_id = locked.match.invited_id
    match.summary = canonical({"players": players(locked, state)})
    match.origin_users = canonical(
        {str(no): user_id for no, user_id in locked.seating.users.items()}
    )
    create([match])
    create(
        [
            Seat(match=match, no=no, user=seat.user, seen_at=locked.now, rating=seat.rating)
            for no, seat in locked.seats.items()
        ]
    )
    locked.successor = match.public_id
    return match
