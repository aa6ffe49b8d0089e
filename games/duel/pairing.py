"""Quick duels: whoever presses the button plays the one who has waited longest, or waits.

Source: docs/duels.md "Quick duels".
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.duel import SLUG
from games.duel.rules.options import QUICK
from games.engine import errors
from games.matches.models import Match
from games.matches.processing import repair
from games.matches.processing.participants import NotInvited
from games.matches.processing.submissions import REFUSALS, Submission
from games.matches.queries import selectors
from games.matches.queries.snapshots import Snapshot
from games.matches.services import fair_play, matches, peeking

#: By which quick duels are found.
MARK: Final = "quick"
#: Who waits counts as present for so long after the last sign of a socket, which is written
#: every ten seconds or so.
PRESENT: Final = timedelta(seconds=25)
#: The number of the PostgreSQL lock that pairings take; any that nothing else uses.
PAIRING_LOCK: Final = 7_261_001
#: Refusals that speak of one table or of the company there, so that the next one may do.
PASSED_OVER: Final = (
    errors.AlreadySeated,
    errors.NotInPhase,
    errors.SeatTaken,
    errors.StaleAction,
    fair_play.LostEnough,
    fair_play.SameDevice,
    peeking.HasLooked,
    NotInvited,
)


def pair_quick(*, user: User, at: datetime | None = None) -> Match:
    """Seat a user at a quick duel, ready: one in which somebody waits, else an own one.

    Pairings are made one after the other, so that two who press at once in two processes find
    each other.  Whoever has an opponent in a quick duel already is led back to it.  Who was ready
    before the other came has to look and be ready again, as at every duel.

    Raises:
        AccountFrozen, CoolingDown, TooManyTables, TooManyOpenTables: the user may not sit down.
    """
    fair_play.require_not_frozen(user)
    with transaction.atomic():
        _take_turn()
        return _with_company(user, at) or _join(user, at) or _wait(user, at)


def _take_turn() -> None:
    """Let nobody else pair before this transaction ends.

    On SQLite a transaction has the write lock from its beginning.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [PAIRING_LOCK])
    # All matches before any account, as in a batch: what follows may act at several of them.
    waiting = Match.objects.filter(game=SLUG, mark=MARK, status=Match.Status.OPEN).order_by("pk")
    list(waiting.select_for_update().values_list("pk"))


def _with_company(user: User, at: datetime | None) -> Match | None:
    """Return the quick duel that the user is playing, or in which both sit, the user then ready.

    A suspended one can wait.
    """
    mine = Match.objects.filter(
        game=SLUG, mark=MARK, status__in=Match.LIVE, is_slow=False, seats__user=user
    )
    for match in mine.order_by("-pk"):
        if match.status == Match.Status.RUNNING:
            return match
        snapshot = selectors.snapshot_of(match)
        if len(snapshot.state.taken) > 1:
            _get_ready(snapshot, user, at)
            return match
    return None


def _join(user: User, at: datetime | None) -> Match | None:
    """Sit down with the first of those who wait with whom this user may play."""
    for snapshot in _waiting(user, at or timezone.now()):
        seat = next(seat.no for seat in snapshot.state.seats if not seat.taken)
        refusal = _sit(snapshot, user, int(seat), at)
        if refusal is None:
            _leave_own_tables(user, snapshot.match, at)
            return snapshot.match
        if not isinstance(refusal, PASSED_OVER):
            raise refusal
    return None


def _wait(user: User, at: datetime | None) -> Match:
    """Return the user's own quick duel, a new one where there is none, with the user ready."""
    own = next(_own_tables(user), None)
    match = (
        own.match
        if own
        else matches.open_match(opened_by=user, options=QUICK, game=SLUG, mark=MARK, at=at)
    )
    snapshot = own or selectors.snapshot_of(match)
    seat = snapshot.seat_of(user.pk)
    refusal = _sit(snapshot, user, 0, at) if seat is None else _get_ready(snapshot, user, at)
    if refusal is not None:
        raise refusal
    return match


def _waiting(user: User, now: datetime) -> Iterator[Snapshot]:
    """Yield the quick duels in which somebody else waits, the longest waiting first."""
    options = matches.default_options(SLUG, QUICK)
    rows = Match.objects.filter(game=SLUG, mark=MARK, status=Match.Status.OPEN).exclude(
        seats__user=user
    )
    present = rows.filter(seats__user__is_bot=False, seats__seen_at__gt=now - PRESENT)
    found = selectors.snapshots(present.order_by("pk").values_list("pk", flat=True))
    for _, snapshot in sorted(found.items()):
        taken = snapshot.state.taken
        if len(taken) == 1 and snapshot.state.options == options:
            yield snapshot


def _own_tables(user: User) -> Iterator[Snapshot]:
    """Yield the quick duels in which this user waits, or that stand empty; oldest first."""
    options = matches.default_options(SLUG, QUICK)
    mine = Match.objects.filter(Q(opened_by=user) | Q(seats__user=user), game=SLUG, mark=MARK)
    found = mine.filter(status=Match.Status.OPEN).values_list("pk", flat=True)
    for _, snapshot in sorted(selectors.snapshots(set(found)).items()):
        others = [s for s in snapshot.sitters.values() if s.user_id != user.pk]
        if not others and snapshot.state.options == options:
            yield snapshot


def _leave_own_tables(user: User, joined: Match, at: datetime | None) -> None:
    """Wait nowhere else any more."""
    for snapshot in list(_own_tables(user)):
        if snapshot.match.pk != joined.pk and snapshot.seat_of(user.pk) is not None:
            _ask(snapshot.match, user, {"kind": "stand"}, at)


def _sit(snapshot: Snapshot, user: User, seat: int, at: datetime | None) -> Any:
    """Sit down and get ready; return the refusal, after which the user does not sit there."""
    refusal = _ask(snapshot.match, user, {"kind": "sit", "seat": seat}, at)
    if refusal is not None:
        return refusal
    refusal = _get_ready(snapshot, user, at)
    if refusal is not None:
        _ask(snapshot.match, user, {"kind": "stand"}, at)
    return refusal


def _get_ready(snapshot: Snapshot, user: User, at: datetime | None) -> Any:
    revision = snapshot.state.options_revision
    return _ask(snapshot.match, user, {"kind": "ready", "configuration": revision}, at)


def _ask(match: Match, user: User, action: dict[str, Any], at: datetime | None) -> Any:
    """Do something at a table as this user, through the write path; return the refusal."""
    submission = Submission(match.pk, action, f"quick-{secrets.token_hex(8)}", user.pk)
    refusal = repair.apply([submission], at).answers[0].error
    assert refusal is None or isinstance(refusal, REFUSALS)
    return refusal
