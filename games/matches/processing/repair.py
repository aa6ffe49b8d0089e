"""Periodic repair through ``writing.apply``: clocks, bots, seats, bans, forgotten matches.
Source: docs/explanation/deadlines.md.
"""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Q
from django.utils import timezone

from accounts.login_number import LOGIN_NUMBER
from accounts.models import BANNED, User
from economy.parts import given
from economy.sql import fetch, is_any
from games import registry
from games.engine.facts import SeatNo, instant
from games.engine.table.people import may_expel, says_what_then
from games.matches.journal.loading import awake, standing
from games.matches.models import Match, Seat, WebProcess, of_match
from games.matches.processing import bots, outage, writing
from games.matches.processing.submissions import BatchResult, Submission
from games.matches.queries import selectors

#: The seat is in a running game.
_RUNNING: Final = of_match(status=Match.Status.RUNNING)
#: The number of matches without spectators that fire in one batch.
FEW = 2
#: The pause after a batch that nobody waits for, as a share of its duration.
REST = 0.5
#: The seconds that a sweep spends on slow matches that get their time back.
GIVING = 20
#: Before the start, a seat without sockets for this long is freed.
ABSENCE = timedelta(seconds=60)
_HEARTBEATS: Final = "SELECT 1 FROM games_webprocess WHERE closed_at IS NULL AND beat_at"
_MATCHES: Final = "SELECT 1 FROM games_match AS m WHERE {is_awake} AND m"
#: An outage to repay, or a due clock or bot; then a seat to free, or a game to void, which both
#: need a live process to which users could have come back.
_LOOK: Final = f"""
    SELECT EXISTS ({_HEARTBEATS} <= %s)
    OR EXISTS ({_MATCHES}.wake_at <= %s AND (m.wake_at <= %s OR NOT m.is_slow)
               AND m.stalled_at IS NULL),
    (EXISTS ({_HEARTBEATS} > %s) AND EXISTS (
        {_MATCHES}.status = %s AND (m.begins_at IS NULL OR m.begins_at <= %s) AND EXISTS (
            SELECT 1 FROM games_seat AS s JOIN accounts_user AS u ON u.id = s.user_id
            WHERE s.match_id = m.id AND s.seen_at <= %s AND NOT u.is_bot)))
    OR (EXISTS ({_HEARTBEATS} > %s AND started_at <= %s)
        AND EXISTS ({_MATCHES}.stalled_at <= %s AND m.status = %s AND NOT m.is_slow)),
    {LOGIN_NUMBER}
"""  # noqa: S608 - every name in it is a constant


class DueCheck(NamedTuple):
    """Whether a clock or an outage is due, whether ``tidy`` has work, and the number of log-ins."""

    is_anything_due: bool
    is_untidy: bool
    login_number: int


def before_leaving(match_ids: Sequence[int], now: datetime | None = None) -> list[Submission]:
    """Return the actions that postpone clocks that pass soon."""
    now = now or timezone.now()
    soon = Match.objects.filter(
        awake(),
        pk__in=match_ids,
        status__in=Match.LIVE,
        stalled_at=None,
        due_at__lt=now + outage.SOON,
    )
    name, grace = f"leaving-{now:%Y%m%d%H%M%S%f}", instant(now + outage.GRACE)
    return [
        writing.house(pk, "postpone", name, due_at=grace)
        for pk in soon.order_by("pk").values_list("pk", flat=True)
    ]


def resume(match_ids: Sequence[int], now: datetime | None = None) -> list[Submission]:
    """Return the actions that resume the clocks of these stalled matches."""
    action = outage.resumption(now or timezone.now())
    stalled = Match.objects.filter(pk__in=match_ids).exclude(stalled_at=None)
    return [
        Submission(pk, action, f"resume-{since:%Y%m%d%H%M%S%f}")
        for pk, since in stalled.values_list("pk", "stalled_at")
    ]


def wakes(match_ids: Sequence[int], now: datetime | None = None) -> list[Submission]:
    """Return the due actions of these matches: passed deadlines and bot actions."""
    now = now or timezone.now()
    wanted: list[Submission] = []
    for match in (cached.match for cached in standing(match_ids).values()):
        if match.stalled_at is not None or match.wake_at is None or match.wake_at > now:
            continue
        if match.due_at is not None and match.due_at <= now:
            name = f"deadline-{match.due_at:%d%H%M%S%f}"
            wanted.append(writing.house(match.pk, "deadline", name))
        elif match.bot_at is not None and match.bot_at <= now:
            found = bots.bot_actions(match, now)
            if not found:
                bots.look_later(match, now)
            wanted += found
    return wanted


def fire_due(match_ids: Sequence[int], now: datetime | None = None) -> BatchResult:
    """Fire the due clocks and bots of these matches."""
    wanted = wakes(match_ids, now)
    return writing.apply(wanted, now) if wanted else BatchResult([])


def bring_up_to_date(match: Match, patience: float = 0.5) -> bool:
    """Fire a passed deadline before a page shows it; wait ``patience`` seconds. Return whether the
    row may have changed.
    """
    if match.wake_at is None or match.wake_at > timezone.now() or match.stalled_at is not None:
        return False
    if not any(wake(match.pk, patience) for wake in given("wakers")):
        fire_due([match.pk])
    return True


def repay(now: datetime | None = None) -> BatchResult:
    """Give time back after an outage, resting between batches; return what viewers see."""
    now = now or timezone.now()
    if not outage.lost_processes(now):
        return BatchResult([])
    begun = started = time.monotonic()
    steps = writing.repayments(now)
    shown = next(steps, BatchResult([]))
    for _ in steps:
        ended = time.monotonic()
        if ended - begun > GIVING:
            break
        time.sleep(REST * (ended - started))
        started = time.monotonic()
    return shown


def catch_up(now: datetime | None = None) -> None:
    """Fire every due clock and bot, in a process without sockets."""
    while found := selectors.due_matches(now or timezone.now()):
        portions = [found[first : first + FEW] for first in range(0, len(found), FEW)]
        if not sum(_act_and_rest(few, now) for few in portions):
            return


def _act_and_rest(match_ids: Sequence[int], now: datetime | None) -> int:
    """Act on a few matches, then rest if any acted; return how many."""
    begun = time.monotonic()
    wanted = wakes(match_ids, now)
    count = len(writing.apply_unseen(wanted, now).snapshots) if wanted else 0
    if count:
        time.sleep(REST * (time.monotonic() - begun))
    return count


def tidy(now: datetime | None = None) -> BatchResult:
    """Free seats of absent users, expel banned players, void games forgotten after an outage."""
    now = now or timezone.now()
    wanted = absent_sitters(now) + banned_players()
    wanted += [
        writing.house(pk, "void", "forgotten", reason="nobody came back after an outage")
        for pk in selectors.forgotten_matches(now)
    ]
    return writing.apply(wanted, now) if wanted else BatchResult([])


#: The parts of a sweep, in order; each is independent.  ``due_check`` tells whether any has work.
SWEEP = (repay, catch_up, tidy)


def due_check(now: datetime | None = None) -> DueCheck:
    """Run the check of each web process each second; read-only."""
    # One statement: each return to the interpreter, shared with the batch writer, may cost 5 ms.
    # Raw SQL: the ORM took 27 times the time (SQLite; 8.8 on PostgreSQL; 2026-11-27).
    now = now or timezone.now()
    is_awake, games = is_any("m.game", registry.slugs(), "text")
    fresh, back_since = now - selectors.FRESH, now - selectors.PATIENCE
    given: list[Any] = [
        *(now - outage.LOST, games, now, now - selectors.HEAD_START),
        *(fresh, games, Match.Status.OPEN.value, now, now - ABSENCE),
        *(fresh, back_since, games, back_since, Match.Status.RUNNING.value),
    ]
    ((is_due, is_untidy, number),) = fetch(_LOOK.format(is_awake=is_awake), given)
    return DueCheck(bool(is_due), bool(is_untidy), number or 0)


def banned_players() -> list[Submission]:
    """Return the actions that expel banned users from games that allow substitutes."""
    people = User.objects.filter(BANNED).values("pk")
    banned = Seat.objects.filter(_RUNNING, user__in=people, match__game__in=registry.slugs())
    seats = [
        row
        for game, *row in banned.values_list("match__game", "match_id", "no", "user_id")
        if says_what_then(registry.table(game).options)
    ][:50]
    found = standing({match_id for match_id, _, _ in seats}) if seats else {}
    return [
        writing.house(match_id, "expel", f"banned-{no}-{user_id}", seat=no)
        for match_id, no, user_id in seats
        if (cached := found.get(match_id))
        and may_expel(cached.table.rules, cached.state, SeatNo(no))
    ]


def absent_sitters(now: datetime | None = None) -> list[Submission]:
    """Return the actions that free seats of open tables without sockets for 60 s."""
    now = now or timezone.now()
    alive = WebProcess.objects.filter(closed_at=None, beat_at__gt=now - selectors.FRESH)
    if not alive.exists() or outage.lost_processes(now):
        return []
    gone = Seat.objects.filter(
        Q(match__begins_at=None) | Q(match__begins_at__lte=now),
        match__game__in=registry.slugs(),
        match__status=Match.Status.OPEN,
        user__is_bot=False,
        seen_at__lte=now - ABSENCE,
    )
    name = "away-{}-{:%d%H%M%S%f}"
    return [
        writing.house(match_id, "free", name.format(no, seen_at), seats=[no], reason="away")
        for match_id, no, seen_at in gone.values_list("match_id", "no", "seen_at")[:50]
    ]
