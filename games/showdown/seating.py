"""Quick seats: the best open table with an ante, or a new one at which the user waits."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.people import apart_from
from games.engine import errors
from games.matches import services as matches
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match
from games.matches.processing.bots import BotLimit, purse_among_bots
from games.matches.processing.seating import unwanted_programs
from games.matches.queries import selectors
from games.matches.services import ask
from games.moderation import fair_play
from games.showdown import SLUG

#: The mark of tables that a quick seat opened.
MARK: Final = "quick"
#: The key of the PostgreSQL advisory lock for quick seats; any key that nothing else uses.
SEATING_LOCK: Final = 7_261_002
#: The most tables that are tried for one press.
MOST_TRIED: Final = 5
#: Refusals after which the next table is tried.
PASSED_OVER: Final = (*matches.PASSED_OVER, BotLimit, errors.BadPurse, errors.TableFull)


def seat_quickly(*, user: User, ante: int, at: datetime | None = None) -> Match:
    """Seat a user, not ready, at a table with this ante: the user's own, the best open one (most
    people, one present, longest wait) or a new one. Raises ``forbidden``, action/cooling_down,
    action/too_many_tables, action/too_many_open_tables, InsufficientPoints.
    """
    fair_play.require_not_frozen(user)
    with transaction.atomic():
        matches.take_turn(user, SEATING_LOCK)
        mine = Q(seats__user=user) | Q(opened_by=user, mark=MARK, seats=None)
        own = [*_open_tables(ante, mine & Q(listed=True))]
        others = [] if own else _joinable(user, ante, at or timezone.now())
        tried = [*own[:1], *others[:MOST_TRIED]]
        # Lock all matches before any account, as in a batch.
        locked = Match.objects.filter(pk__in=[each.match.pk for each in tried]).order_by("pk")
        list(locked.select_for_update().values_list("pk"))
        for snapshot in tried:
            refusal = _sit(snapshot, user, at)
            if refusal is None:
                return snapshot.match
            if not isinstance(refusal, PASSED_OVER):
                raise refusal
        return _wait(user, ante, at)


def _open_tables(ante: int, which: Q) -> Iterator[Snapshot]:
    """Yield the open tables with this ante, the oldest first."""
    found = Match.objects.filter(which, game=SLUG, status=Match.Status.OPEN, begins_at=None)
    for _, snapshot in sorted(selectors.snapshots(set(found.values_list("pk", flat=True))).items()):
        if snapshot.state.options.ante == ante:
            yield snapshot


def _joinable(user: User, ante: int, now: datetime) -> list[Snapshot]:
    """Return the listed tables with a free seat and somebody present, most people first. Blocks
    keep apart, as do programs and people who play no rated games with them.
    """
    here = Q(seats__user__is_bot=False, seats__seen_at__gt=now - matches.PRESENT)
    apart = {user.pk, *apart_from(user.pk)}
    found = [
        snapshot
        for snapshot in _open_tables(ante, here & Q(listed=True, invited=None))
        if not all(seat.taken for seat in snapshot.state.seats)
        and not apart & snapshot.seating.accounts.keys()
        and not unwanted_programs([user, *snapshot.seating.accounts.values()])
    ]
    return sorted(found, key=lambda each: -len(_people(each)))


def _people(snapshot: Snapshot) -> Collection[int]:
    return [no for no, sitter in snapshot.sitters.items() if not sitter.bot]


def _sit(snapshot: Snapshot, user: User, at: datetime | None) -> Any:
    if snapshot.seat_of(user.pk) is not None:
        return None
    return ask(snapshot.match, user, {"kind": "sit"}, at)


def _wait(user: User, ante: int, at: datetime | None) -> Match:
    """Open a table, with a purse that lets a bot sit down too."""
    match = matches.open_and_sit(
        opened_by=user, options={"ante": ante}, game=SLUG, mark=MARK, at=at
    )
    purse = purse_among_bots(match, user.pk, at or timezone.now())
    ask(match, user, {"kind": "bring", "purse": purse}, at)
    return match
