"""The public log of commitments: the sequencer, seeds pledged before a match opens, and the hourly
look at old matches: they still replay, and are what the log says.
"""

import contextlib
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import (
    DateField,
    DateTimeField,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from economy.sql import EVER, BulkRows, Compiled, Given, read_rows
from games import registry
from games.engine.draws import FIRST_HEAD, head_of, leaf_hash, root_and_path
from games.engine.facts import instant
from games.engine.structs import canonical
from games.matches.journal.entries import BrokenArchive
from games.matches.models import LogDay, LogLeaf, Match, Pledge, SelfCheck
from games.matches.processing.opening import Seal, new_seal
from games.matches.processing.status import note_check
from games.matches.queries.audit import broken_replay, sample_of
from games.proofs.queries import aborted_starts, body_of, counts_of, hash_of_body

log = logging.getLogger(__name__)

#: The most leaves of each kind of one run.
MOST_LEAVES: Final = 200
#: How far behind the newest leaf an older row is looked for: rows commit out of order.
BEHIND: Final = timedelta(hours=1)
#: After midnight (UTC) until a day is finished: no process's clock is so late.
DAY_ENDS_AFTER: Final = timedelta(minutes=5)


#: The game of the pledge of an event.
EVENT: Final = "event"


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
    newest = next(iter(_NEWEST.rows()), None)
    is_whole = is_whole or not _whole_at or abs(now - _whole_at[0]) >= BEHIND
    found = _unlogged(newest[1] - BEHIND if newest and not is_whole else None)
    if is_whole and len(found) < MOST_LEAVES:
        _whole_at[:] = [now]
    past: list[date] = [day for (day,) in _PAST.rows(until=(now - DAY_ENDS_AFTER).date())]
    if not (found or past):
        return 0
    try:
        with transaction.atomic():
            _append(found, newest, now)
            if past:
                _finish(past)
    except IntegrityError:
        # The log has no lock: of two sequencers at once one writes nothing, and tries again soon.
        log.debug("another process has written to the log of commitments")
        return 0
    return len(found)


def pledge(game: str, now: datetime) -> Pledge:
    """Commit the seed of a match that opens later."""
    return pledge_all(game, [new_seal(game)], now)[0]


def pledge_all(game: str, sealed: Iterable[Seal], now: datetime) -> list[Pledge]:
    """Commit seeds of matches that open later, or of an event: game ``EVENT``."""
    return Pledge.objects.bulk_create(
        Pledge(
            public_id=each.public_id,
            game=game,
            rules_version=each.rules_version,
            seed=each.seed,
            seed_commitment=each.commitment,
            pledged_at=now,
        )
        for each in sealed
    )


def drop(pledged: Pledge, now: datetime) -> None:
    """Give up a pledged seed: its match will not open, and the log says so."""
    Pledge.objects.filter(pk=pledged.pk, dropped_at=None).update(dropped_at=now)


def _unlogged(since: datetime | None) -> list[_Event]:
    return [*_opened(since), *_closed(since)]


def _opened(since: datetime | None) -> Iterator[_Event]:
    for unlogged in (_PLEDGED, _OPENED):
        for _, commitment in unlogged.rows(since=since or EVER):
            yield _Event(LogLeaf.Kind.OPENED, commitment)
    for _, commitment in _EVENTS.rows(since=since or EVER):
        yield _Event(LogLeaf.Kind.EVENT, commitment)


def _closed(since: datetime | None) -> Iterator[_Event]:
    kind = LogLeaf.Kind.CLOSED
    for _, commitment in _DROPPED.rows(since=since or EVER):
        yield _Event(kind, commitment, "dropped")
    ended = [pk for pk, _ in _ENDED.rows(since=since or EVER)]
    matches = {match.pk: match for match in read_rows(Match, "id", ended)} if ended else {}
    for match in (matches[pk] for pk in ended):
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
    model: type[Pledge | Match], kind: LogLeaf.Kind, column: str
) -> QuerySet[Any, Any]:
    """Return (key, commitment) of rows whose instant in ``column`` is since then, and whose
    commitment has no leaf of this kind.
    """
    leaves = LogLeaf.objects.filter(commitment=OuterRef("seed_commitment"))
    rows = model._default_manager.filter(
        ~Exists(leaves.filter(kind=kind)), **{f"{column}__gte": Given("since", DateTimeField())}
    )
    if model is Pledge:
        is_event = Q(game=EVENT)
        rows = rows.filter(is_event if kind == LogLeaf.Kind.EVENT else ~is_event)
    if kind == LogLeaf.Kind.CLOSED:
        rows = rows.filter(Exists(leaves.filter(kind=LogLeaf.Kind.OPENED)))
    return rows.order_by(column, "pk").values_list("pk", "seed_commitment")[:MOST_LEAVES]


def _unfinished_days() -> QuerySet[LogLeaf, Any]:
    """Return the days with leaves, past and after the last finished one, in order."""
    last = LogDay.objects.order_by("-day").values("day")[:1]
    leaves = LogLeaf.objects.filter(
        day__lt=Given("until", DateField()), day__gt=Coalesce(Subquery(last), Value(EVER.date()))
    )
    return leaves.order_by("day").values_list("day").distinct()


_PLEDGED: Final = Compiled(partial(_without_leaf, Pledge, LogLeaf.Kind.OPENED, "pledged_at"))
_EVENTS: Final = Compiled(partial(_without_leaf, Pledge, LogLeaf.Kind.EVENT, "pledged_at"))
_OPENED: Final = Compiled(partial(_without_leaf, Match, LogLeaf.Kind.OPENED, "opened_at"))
_DROPPED: Final = Compiled(partial(_without_leaf, Pledge, LogLeaf.Kind.CLOSED, "dropped_at"))
_ENDED: Final = Compiled(partial(_without_leaf, Match, LogLeaf.Kind.CLOSED, "ended_at"))
_NEWEST: Final = Compiled(lambda: LogLeaf.objects.order_by("-no").values_list("no", "at")[:1])
_PAST: Final = Compiled(_unfinished_days)


_LEAF: Final = ("no", "day", "kind", "commitment", "outcome", "aborted", "text", "at")
_LEAVES: Final = BulkRows(LogLeaf, _LEAF)
_leaf: Final = attrgetter(*_LEAF)


def _append(events: list[_Event], newest: tuple[Any, ...] | None, now: datetime) -> None:
    """Write the leaves of these events; ``newest``: number and instant of the newest leaf. Raises
    IntegrityError if another has become the newest.
    """
    last_no, last_at = newest or (0, now)
    at = max(now, last_at)
    if last := LogDay.objects.order_by("-day").first():
        # No process's clock may add to a finished day.
        at = max(at, datetime.combine(last.day + timedelta(days=1), time.min, UTC))
    leaves = []
    for no, event in enumerate(events, last_no + 1):
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
    _LEAVES.insert([_leaf(leaf) for leaf in leaves])


def _finish(days: Sequence[date]) -> None:
    """Write the root of each of these days, in order."""
    last = LogDay.objects.order_by("-day").first()
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


#: Matches an hour; within the time limit of a task.
SAMPLE: Final = 20


def check_old_matches() -> list[str]:
    """Replay random finished matches, compare them with the log, return what is wrong."""
    over = Match.objects.exclude(status__in=Match.LIVE).filter(game__in=registry.slugs())
    sample = sample_of(over, SAMPLE)
    closed = LogLeaf.objects.filter(
        kind=LogLeaf.Kind.CLOSED, commitment__in=[match.seed_commitment for match in sample]
    )
    logged = {leaf.commitment: json.loads(leaf.text)["body"] for leaf in closed}
    wrong = list[str]()
    for match in sample:
        if text := broken_replay(match):
            wrong.append(text)
        with contextlib.suppress(BrokenArchive):
            if logged.get(match.seed_commitment) not in (None, hash_of_body(body_of(match))):
                wrong.append(f"match {match.pk} is not what the public log says")
    for text in wrong:
        log.critical("old matches: %s", text)
    if sample:
        note = f"{len(sample)} old games, {len(wrong)} differences"
        note_check(SelfCheck.Kind.REPLAY, note, is_good=not wrong)
    return wrong
