"""The public log of commitments: the sequencer, and seeds pledged before a match opens."""

import logging
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from games.engine.draws import FIRST_HEAD, head_of, leaf_hash, root_and_path
from games.engine.facts import instant
from games.engine.structs import canonical
from games.matches.models import LogDay, LogLeaf, Match, Pledge
from games.matches.processing.opening import new_seal
from games.proofs.queries import aborted_starts, body_of, counts_of, hash_of_body

log = logging.getLogger(__name__)

#: The most leaves of each kind of one run.
MOST_LEAVES: Final = 200
#: How far behind the newest leaf an older row is looked for: rows commit out of order.
BEHIND: Final = timedelta(hours=1)
#: After midnight (UTC) until a day is finished: no process's clock is so late.
DAY_ENDS_AFTER: Final = timedelta(minutes=5)


#: When this process last found nothing left in all rows.
_whole_at: list[datetime] = []


class _Event(NamedTuple):
    kind: LogLeaf.Kind
    commitment: str
    outcome: str = ""
    reason: str = ""
    body: str = ""
    aborted: int = 0


def sequence(now: datetime | None = None, *, is_whole: bool = False) -> int:
    """Append what is not in the log yet, finish past days, and return the number of new leaves;
    safe from any process. ``is_whole``: look at all rows, not at the last hour's alone, as each
    process does when it starts and every hour: an outage may have left much.
    """
    now = now or timezone.now()
    newest = LogLeaf.objects.order_by("-no").first()
    is_whole = is_whole or not _whole_at or abs(now - _whole_at[0]) >= BEHIND
    found = _unlogged(newest.at - BEHIND if newest and not is_whole else None)
    if is_whole and len(found) < MOST_LEAVES:
        _whole_at[:] = [now]
    try:
        with transaction.atomic():
            _append(found, newest, now)
            _finish_days(now)
    except IntegrityError:
        # The log has no lock: of two sequencers at once one writes nothing, and tries again soon.
        log.debug("another process has written to the log of commitments")
        return 0
    return len(found)


def pledge(game: str, now: datetime) -> Pledge:
    """Commit the seed of a match that opens later."""
    sealed = new_seal(game)
    return Pledge.objects.create(
        public_id=sealed.public_id,
        game=game,
        rules_version=sealed.rules_version,
        seed=sealed.seed,
        seed_commitment=sealed.commitment,
        pledged_at=now,
    )


def drop(pledged: Pledge, now: datetime) -> None:
    """Give up a pledged seed: its match will not open, and the log says so."""
    Pledge.objects.filter(pk=pledged.pk, dropped_at=None).update(dropped_at=now)


def _unlogged(since: datetime | None) -> list[_Event]:
    return [*_opened(since), *_closed(since)]


def _opened(since: datetime | None) -> Iterator[_Event]:
    for rows, column in ((Pledge.objects.all(), "pledged_at"), (Match.objects.all(), "opened_at")):
        for row in _without_leaf(rows, LogLeaf.Kind.OPENED, column, since):
            yield _Event(LogLeaf.Kind.OPENED, row.seed_commitment)


def _closed(since: datetime | None) -> Iterator[_Event]:
    kind = LogLeaf.Kind.CLOSED
    for dropped in _without_leaf(Pledge.objects.all(), kind, "dropped_at", since):
        yield _Event(kind, dropped.seed_commitment, "dropped")
    for match in _without_leaf(Match.objects.all(), kind, "ended_at", since):
        # Of an unlisted match only the outcome is public.
        reason = match.void_reason if match.listed else ""
        event = _Event(kind, match.seed_commitment, match.status, reason)
        try:
            body = body_of(match)
        except (KeyError, ValueError):
            # A broken match must not keep all others out of the log.
            log.exception("match %d has no proof", match.pk)
            yield event
        else:
            yield event._replace(body=hash_of_body(body), aborted=aborted_starts(body))


def _without_leaf(
    rows: QuerySet[Any], kind: LogLeaf.Kind, column: str, since: datetime | None
) -> list[Any]:
    """Return the rows with an instant in ``column`` whose commitment has no leaf of this kind."""
    leaves = LogLeaf.objects.filter(kind=kind, commitment=OuterRef("seed_commitment"))
    recent = Q(**{f"{column}__gte": since}) if since else Q(**{f"{column}__isnull": False})
    if kind == LogLeaf.Kind.CLOSED:
        opened = leaves.model.objects.filter(
            kind=LogLeaf.Kind.OPENED, commitment=OuterRef("seed_commitment")
        )
        rows = rows.filter(Exists(opened))
    return list(rows.filter(recent, ~Exists(leaves)).order_by(F(column), "pk")[:MOST_LEAVES])


def _append(events: list[_Event], newest: LogLeaf | None, now: datetime) -> None:
    """Write the leaves of these events; raises IntegrityError if the newest leaf is not newest."""
    at = max(now, newest.at) if newest else now
    if last := LogDay.objects.order_by("-day").first():
        # No process's clock may add to a finished day.
        at = max(at, datetime.combine(last.day + timedelta(days=1), time.min, UTC))
    leaves = []
    for no, event in enumerate(events, newest.no + 1 if newest else 1):
        told = {"at": instant(at), "commitment": event.commitment, "kind": event.kind, "no": no}
        if event.outcome:
            told |= {"outcome": event.outcome, "reason": event.reason}
            told |= {"aborted": event.aborted, "body": event.body}
        leaves.append(
            LogLeaf(
                no=no,
                day=at.date(),
                kind=event.kind,
                commitment=event.commitment,
                outcome=event.outcome,
                aborted=event.aborted,
                text=canonical(told),
                at=at,
            )
        )
    LogLeaf.objects.bulk_create(leaves)


def _finish_days(now: datetime) -> None:
    """Write the root of each past day that has leaves and none yet, in order."""
    last = LogDay.objects.order_by("-day").first()
    past = LogLeaf.objects.filter(day__lt=(now - DAY_ENDS_AFTER).date())
    if last is not None:
        past = past.filter(day__gt=last.day)
    days: list[date] = list(past.order_by("day").values_list("day", flat=True).distinct())
    for day in days:
        rows = LogLeaf.objects.filter(day=day).order_by("no")
        texts = list(rows.values_list("text", flat=True))
        root, _ = root_and_path([leaf_hash(text) for text in texts])
        previous = last.head if last else FIRST_HEAD
        last = LogDay.objects.create(
            day=day,
            first_no=rows.values_list("no", flat=True)[0],
            count=len(texts),
            counts=canonical(counts_of(day)),
            root=root,
            head=head_of(previous, day.isoformat(), len(texts), root),
        )
