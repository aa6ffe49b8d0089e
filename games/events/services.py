"""Registration for events, their making and calling off, and the sweep that drives them."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.devices import company_of
from accounts.models import User
from economy.selectors import setting
from economy.tunables import Tunable
from games import registry
from games.engine.errors import IllegalAction, NotInPhase, refuse
from games.events import running
from games.events.models import Entrant, Event, Meeting, Schedule
from games.matches import services as matches
from games.matches.models import Match, Pledge, Seat, WebProcess, new_public_id, of_match
from games.matches.processing import outage
from games.matches.processing.opening import Seal, awaits_log
from games.moderation.fair_play import require_not_frozen
from games.proofs.commitments import EVENT, pledge_all
from games.realtime.executors import Sweeper

if TYPE_CHECKING:
    from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: The version of the draws of ``games.events.bracket``.
VERSION: Final = 1
MOST_ENTRANTS: Final = 1024
#: Events of the schedules: how far ahead, and the most at once.
AHEAD: Final = timedelta(days=7)
MOST_AHEAD: Final = 60
#: Events without people are kept for so long.
KEPT: Final = timedelta(days=7)
#: The most events that one sweep looks at.
MOST_EVENTS: Final = 20
#: The rest between two steps, as a multiple of the first: tables elsewhere write in between.
REST: Final = 1
NUMBERS: Final = (
    Tunable("events.clock", 12, 5, 60, "clock of a throw in a Train", "s"),
    Tunable("events.limit", 90, 20, 600, "longest match of two people in a Train", "s"),
    Tunable("events.bot_limit", 180, 20, 600, "longest match with a bot in a Train", "s"),
    Tunable("events.break", 5, 0, 60, "from the draw of a station to its matches", "s"),
)


class Occupied(IllegalAction):
    """The user is in another event, sits in a game with a clock, or the event is full."""

    code = "limit"


def numbers() -> Iterator[tuple[str, Tunable]]:
    return (("Events", number) for number in NUMBERS)


def enter(*, event_id: int, user: User, now: datetime | None = None) -> None:
    """Register a user, once. Raises ``forbidden``, ``not_found``, NotInPhase, Occupied."""
    now = now or timezone.now()
    with transaction.atomic():
        # The user's row first, so that two events at once count each other.
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        require_not_frozen(user)
        event = _locked(event_id)
        entered = event.entrants.filter(user=user).exists()
        if event.status != Event.Status.ANNOUNCED or not event.opens_at <= now < event.starts_at:
            raise NotInPhase("registration is not open")
        if entered:
            return
        if awaits_log(event.pledge.seed_commitment, now):
            raise NotInPhase("registration opens in a moment")
        _require_may_enter(event, user, now)
        event.entrants.create(user=user, entered_at=now)


def _require_may_enter(event: Event, user: User, now: datetime) -> None:
    if not user.is_active or user.is_bot or user.is_program != event.for_programs:
        kind = "programs" if event.for_programs else "people"
        refuse("forbidden", f"this event is for {kind}")
    others = Entrant.objects.filter(user=user, is_in=True, event__status__in=Event.LIVE)
    if others.exists():
        raise Occupied("you are in another event")
    busy = of_match(status=Match.Status.RUNNING, is_slow=False)
    if Seat.objects.filter(busy, user=user, has_left=False).exists():
        raise Occupied("you play a game with a clock: finish it first")
    entered = list(event.entrants.values_list("user", flat=True))
    if len(entered) >= MOST_ENTRANTS:
        raise Occupied(f"{MOST_ENTRANTS} are registered, which is the most", most=MOST_ENTRANTS)
    since = now - timedelta(days=setting("fair.device_days"))
    if company_of(user.pk, entered, since).by_device:
        refuse("forbidden", "somebody is registered from the same device")


def withdraw(*, event_id: int, user: User, now: datetime | None = None) -> None:
    """Take a user off the list before the start; later the user is out, and gives up a running
    match. Raises ``not_found``.
    """
    now = now or timezone.now()
    with transaction.atomic():
        event = _locked(event_id)
        entrant = event.entrants.filter(user=user, is_in=True).first()
        if entrant is None:
            refuse("not_found", "you are not in this event")
        if event.status == Event.Status.ANNOUNCED:
            entrant.delete()
            return
        entrant.is_in, entrant.left = False, "withdrew"
        entrant.save()
        match = current_match(event, user)
    if match is not None and match.is_live:
        matches.ask(match, user, {"kind": "leave"}, now)


def current_match(event: Event, user: User) -> Match | None:
    """Return the user's match of the current station, None without one."""
    held = Meeting.objects.filter(event=event, station=event.station, match__seats__user=user)
    found = held.select_related("match").first()
    return None if found is None else found.match


def call_off(*, event_id: int, reason: str, now: datetime | None = None) -> None:
    """Void an event that is not over; matches that run are played on. Raises NotInPhase."""
    with transaction.atomic():
        event = _locked(event_id)
        if not event.is_live:
            raise NotInPhase("the event is over")
        running.RunningEvent(event, now or timezone.now()).end(Event.Status.VOID, reason)


def found(*, user: User, name: str, minutes: int, fill: int, now: datetime | None = None) -> Event:
    """Make an unlisted event for friends, with its founder aboard if possible. Raises
    ``forbidden``, Occupied: one at a time.
    """
    now = now or timezone.now()
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        require_not_frozen(user)
        if Event.objects.filter(founder=user, status__in=Event.LIVE).exists():
            raise Occupied("an event of yours is still to come or runs")
        event = make(
            name=name,
            starts_at=now + timedelta(minutes=minutes),
            opens_at=now,
            now=now,
            founder=user,
            listed=False,
            fill=fill,
            for_programs=user.is_program,
        )
        with contextlib.suppress(Occupied):
            _require_may_enter(event, user, now)
            event.entrants.create(user=user, entered_at=now)
    return event


def make(*, now: datetime, **columns: Any) -> Event:
    """Make an event, with its seed committed. Raises ``maintenance``: no game has knock-outs."""
    if not (games := _games()):
        refuse("maintenance", "no game here is played in events at the moment")
    sealed = Seal(new_public_id(), VERSION, secrets.token_hex(32))
    (pledge,) = pledge_all(EVENT, [sealed], now)
    return Event.objects.create(public_id=sealed.public_id, game=games[0], pledge=pledge, **columns)


def _games() -> list[str]:
    """Return the games that are played in events; others' events sleep."""
    return [game.slug for game in registry.tables() if game.knockout]


def times_of(schedule: Schedule, now: datetime) -> Iterator[datetime]:
    """Yield the instants of a schedule in the next days, in UTC; by the clock of its zone."""
    zone, day = ZoneInfo(schedule.zone), now.astimezone(ZoneInfo(schedule.zone)).date()
    hours = range(24) if schedule.every == Schedule.Every.HOUR else (schedule.hour,)
    for _ in range(AHEAD.days + 2):
        if schedule.every != Schedule.Every.WEEK or day.weekday() == schedule.weekday:
            for hour in hours:
                at = datetime(day.year, day.month, day.day, hour, schedule.minute, tzinfo=zone)
                utc = at.astimezone(UTC)
                # An hour that the zone's clock leaves out is no appointment.
                if now < utc <= now + AHEAD and utc.astimezone(zone).hour == hour:
                    yield utc
        day += timedelta(days=1)


def make_scheduled(now: datetime | None = None) -> int:
    """Make the next events of all schedules; return the number of new ones."""
    if not _games():
        return 0
    now = now or timezone.now()
    wanted = sorted(
        (at, schedule.pk, schedule)
        for schedule in Schedule.objects.filter(is_on=True)
        for at in times_of(schedule, now)
    )[:MOST_AHEAD]
    ahead = Event.objects.filter(schedule__isnull=False, starts_at__gt=now)
    there, count = set(ahead.values_list("starts_at", "schedule")), 0
    for at, pk, schedule in wanted:
        if (at, pk) not in there:
            count += _make_of(schedule, at, now)
    return count


def _make_of(schedule: Schedule, at: datetime, now: datetime) -> bool:
    try:
        with transaction.atomic():
            make(
                name=schedule.name,
                starts_at=at,
                opens_at=at - timedelta(minutes=schedule.lead),
                now=now,
                schedule=schedule,
                fill=schedule.fill,
                for_programs=schedule.for_programs,
            )
    except IntegrityError:
        # Another process has made it.
        return False
    return True


def forget_empty(now: datetime) -> None:
    """Delete events of last week without people."""
    old = Event.objects.filter(ended_at__lt=now - KEPT, entrants=None)
    for pk, pledge in list(old.values_list("pk", "pledge")[:MOST_AHEAD]):
        Meeting.objects.filter(event=pk).delete()
        Event.objects.filter(pk=pk).delete()
        Pledge.objects.filter(pk=pledge).delete()


def sweep(at: datetime | None = None) -> int:
    """Take a step of each event that is due; return in how many another may be due at once."""
    now = at or timezone.now()
    events = Event.objects.filter(status__in=Event.LIVE, game__in=_games())
    due = events.filter(starts_at__lte=now + running.ASKED).order_by("starts_at")
    more, here = 0, list(due.values_list("pk", flat=True)[:MOST_EVENTS])
    # Without a web process nobody can play: the events wait, and get the time back.
    alive = WebProcess.objects.filter(closed_at=None, beat_at__gt=now - outage.LOST)
    if not here or not alive.exists():
        return 0
    for event_id in here:
        try:
            more += running.step(event_id=event_id, now=at)
        except OperationalError:
            raise
        except Exception:
            # One broken event must not delay the others.
            log.exception("event %d could not be swept", event_id)
    return more


def look(here: Collection[int]) -> tuple[list[int], int]:
    """Note who has answered, sweep, and return whom to ask before the start, and the events with
    more to do.
    """
    now, announced = timezone.now(), Event.Status.ANNOUNCED
    soon = Entrant.objects.filter(
        is_in=True, event__status=announced, event__starts_at__lte=now + running.ASKED
    )
    if here:
        soon.filter(user__in=here).update(seen_at=now)
    more = sweep()
    unseen = Q(seen_at=None) | Q(seen_at__lt=now - running.ASKED / 2)
    return list(soon.filter(unseen).values_list("user", flat=True)), more


class EventSweeper(Sweeper):
    pause, spread = 1.0, 0.2

    def __init__(self, runtime: "Runtime") -> None:
        super().__init__(runtime)
        self._feed, self._here = runtime.user_feed, set[int]()

    async def look(self) -> None:
        more = 1
        while more:
            begun, here, self._here = time.monotonic(), self._here, set()
            asked, more = await self._executor.run(look, here)
            for user_id in asked:
                for watcher in self._feed.watchers.get(user_id, ()):
                    watcher.ask(partial(self._here.add, user_id))
            if more:
                await asyncio.sleep(REST * (time.monotonic() - begun))


def _locked(event_id: int) -> Event:
    locked = Event.objects.select_for_update(no_key=True).filter(pk=event_id).first()
    if locked is None:
        refuse("not_found", "there is no such event")
    return locked
