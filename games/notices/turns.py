"""The games that wait for a user, by their deadlines, and the next one after a game.
Source: docs/explanation/deadlines.md "Outages".
"""

from datetime import UTC, datetime
from typing import Final, NamedTuple

from msgspec import UNSET

from games.engine.facts import as_datetime
from games.engine.table import OPEN
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match
from games.matches.queries import selectors
from games.notices.attention import affairs_of

#: The place of what has no deadline: after all that has one.
NEVER: Final = datetime.max.replace(tzinfo=UTC)


class Turn(NamedTuple):
    """A game or something else that waits for a user: by ``due_at``, None without a deadline."""

    title: str
    url: str
    what: str
    due_at: datetime | None


def turns_of(user_id: int) -> list[Turn]:
    """Return all that waits for a user: games by their deadlines, then all else."""
    affairs = affairs_of([user_id])[user_id]
    found = selectors.snapshots(affairs.needs) if affairs.needs else {}
    order = sorted(found, key=lambda pk: _place(found[pk]))
    turns = [Turn(**affairs.needs[pk], due_at=due_at_of(found[pk])) for pk in order]
    return [*turns, *(Turn(**need, due_at=None) for need in affairs.others)]


def next_turn(user_id: int, after: Match | None) -> str | None:
    """Return the path of the game that waits next after another one, round and round. ``after``:
    the game that the user comes from, waiting or not; None: the first one.
    """
    needs = affairs_of([user_id])[user_id].needs
    found = selectors.snapshots({*needs, *([after.pk] if after else [])}) if needs else {}
    here = found.get(after.pk) if after else None
    places = sorted((_place(found[pk]), pk) for pk in needs if pk in found and pk != _key(after))
    later = [pk for place, pk in places if here is None or place > _place(here)]
    wanted = next(iter(later or [pk for _, pk in places]), None)
    return None if wanted is None else needs[wanted]["url"]


def due_at_of(snapshot: Snapshot) -> datetime | None:
    """Return the deadline that people see: of the phase or turn, or an appointed start."""
    state = snapshot.state
    if state.stage == OPEN:
        return None if state.begins_at is UNSET else as_datetime(state.begins_at)
    due_at = snapshot.table.shown_deadline(state)
    return None if due_at is None else as_datetime(due_at)


def _key(match: Match | None) -> int | None:
    return None if match is None else match.pk


def _place(snapshot: Snapshot) -> tuple[datetime, int]:
    return due_at_of(snapshot) or NEVER, snapshot.match.pk
