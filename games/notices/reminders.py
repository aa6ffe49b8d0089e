"""Mails and notifications of slow games that begin, wait or go on. They depend on public data only,
as a locked screen shows them to anybody: neither a message nor its absence reveals a secret.
"""

import json
import logging
import smtplib
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from msgspec import UNSET
from post_office.connections import connections
from post_office.models import PRIORITY, STATUS
from post_office.settings import get_default_mailer

from accounts import mails, push
from accounts.mails import Reachable, public_address
from accounts.models import PushChoice, PushSubscription
from accounts.models import Reminders as Wanted
from accounts.people import apart_from
from accounts.push import choices_of, quiet_until
from accounts.tasks import only_run
from games import registry
from games.engine.facts import as_datetime
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Notification, Reminder, ReminderDue, Seat, of_match
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.notices.attention import need_of

log = logging.getLogger(__name__)

#: The most matches checked, and mails sent, in one run.
MOST_MATCHES, MOST_MAILS = 100, 50
SUBJECT: Final = "Your game needs you"
BEGINS: Final = "Your game begins soon"
#: How long before an appointed start its mails are sent.
LEAD: Final = timedelta(minutes=30)
#: Seconds after which a run starts no more notifications.
LONGEST_RUN: Final = 8.0
#: Notifications on their way at the same time: a silent service holds up a portion, for 2 s.
MOST_AT_ONCE = 20
#: A challenge that is older when it is found is not announced any more.
FRESH: Final = timedelta(minutes=5)
#: The time between a user's notices of towns, and a town's age: with bots one begins at once.
TOWN_PAUSE: Final = timedelta(hours=1)
TOWN_AGE: Final = timedelta(seconds=20)
#: Kind -> the words where the game has no notice of its own.
WORDS: Final[Mapping[str, str]] = {
    "turn": "It is your turn.",
    "start": "Your game begins.",
    "phase": "A new phase begins.",
    "challenge": "You have a challenge.",
    "town": "A town waits for people.",
}


class Reminders(Reaction):
    """Schedules a check of each new phase of a slow match, in the transaction that begins it."""

    @staticmethod
    def opened(match: Match) -> None:
        """Schedule the mails about an appointed start, unless it is too near."""
        if match.begins_at is not None and match.begins_at - LEAD > match.opened_at:
            ReminderDue.objects.create(match=match, phase=0, at=match.begins_at - LEAD)

    def written(self, changed: Sequence[LockedMatch]) -> None:
        """Store new phases, delete the rows of ended matches; no query where there is neither."""
        due = [
            ReminderDue(
                match_id=locked.match.pk,
                phase=locked.match.phase,
                at=locked.now,
                push_at=locked.now,
            )
            for locked in changed
            if locked.has_new_phase and locked.table.is_slow(locked.state)
        ]
        if due:
            ReminderDue.objects.bulk_create(
                due,
                update_conflicts=True,
                unique_fields=["match"],
                update_fields=["phase", "at", "push_at"],
            )
        if ended := [
            locked.match.pk
            for locked in changed
            if locked.is_ending and (locked.match.is_slow or locked.match.begins_at)
        ]:
            ReminderDue.objects.filter(match__in=ended).delete()
            Reminder.objects.filter(match__in=ended).delete()
            Notification.objects.filter(match__in=ended).delete()


class Phase(NamedTuple):
    """A running phase of a slow match, by its public deadline; 0 is the wait for its start."""

    no: int
    half_at: datetime
    ends_at: datetime


def send_reminders(now: datetime | None = None) -> int:
    """Send the due mails; return how many. Each is recorded first, so that neither a crash nor a
    second worker repeats it; nothing is recorded while the server cannot be reached.
    """
    now = now or timezone.now()
    rows = ReminderDue.objects.filter(match__game__in=registry.slugs(), at__lte=now)
    due = list(rows.order_by("at", "pk")[:MOST_MATCHES])
    if not due or not _is_server_there():
        return 0
    try:
        return _remind_all(due, now)
    finally:
        connections.close()


def _remind_all(due: Sequence[ReminderDue], now: datetime) -> int:
    """Process these matches until the mail limit or a failure; return how many mails were sent."""
    found = selectors.snapshots(row.pk for row in due)
    sent = 0
    for row in due:
        snapshot = found.get(row.pk)
        phase = None if snapshot is None else phase_of(snapshot)
        if snapshot is not None and phase is not None and phase.no == row.phase:
            for person in _people_to_tell(snapshot, phase, now):
                if sent == MOST_MAILS:
                    return sent
                _, is_first = Reminder.objects.get_or_create(
                    match=snapshot.match,
                    user_id=person.user_id,
                    phase=phase.no,
                    defaults={"at": now},
                )
                if is_first:
                    if not _send(snapshot, person, phase):
                        return sent
                    sent += 1
        _look_later(row, phase, now)
    return sent


def phase_of(snapshot: Snapshot) -> Phase | None:
    """Return the phase of a match with a slow clock or an appointment, None for any other."""
    begins_at = snapshot.state.begins_at
    if begins_at is not UNSET:
        return Phase(0, as_datetime(begins_at) - LEAD, as_datetime(begins_at))
    rules, play = snapshot.table.rules, snapshot.state.play
    if not snapshot.table.is_slow(snapshot.state):
        return None
    ends_at, limit = rules.shown_deadline(play), rules.clock_limit(play)
    if ends_at is None or limit is None:
        return None
    end = as_datetime(ends_at)
    return Phase(rules.phase(play), end - timedelta(milliseconds=limit / 2), end)


def _people_to_tell(snapshot: Snapshot, phase: Phase, now: datetime) -> list[Reachable]:
    """Return the users to remind now; none after the phase."""
    if now >= phase.ends_at:
        return []
    waiting = [
        sitter.user_id
        for seat, sitter in snapshot.sitters.items()
        if not sitter.bot and (phase.no == 0 or need_of(snapshot, seat) is not None)
    ]
    return [
        person
        for person in mails.reachable(waiting)
        if now >= phase.half_at or person.wanted == Wanted.START
    ]


def _look_later(row: ReminderDue, phase: Phase | None, now: datetime) -> None:
    """Schedule the next check: at half-time, or not before the next phase."""
    same = ReminderDue.objects.filter(pk=row.pk, phase=row.phase, at=row.at)
    if phase is None:
        same.delete()
    elif phase.no == row.phase:
        same.update(at=phase.half_at if now < phase.half_at else None)


def _is_server_there() -> bool:
    try:
        connections[get_default_mailer()]
    except (OSError, smtplib.SMTPException):
        log.warning("the mail server cannot be reached: reminders wait")
        return False
    return True


def _send(snapshot: Snapshot, person: Reachable, phase: Phase) -> bool:
    """Send one mail at once, without a queue that could repeat it; return whether it was sent."""
    subject, name = (SUBJECT, "needs_you") if phase.no else (BEGINS, "begins")
    match = snapshot.match
    context = {
        "title": match.title,
        "has_substitutes": getattr(snapshot.state.options, "substitutes", False),
        "until": phase.ends_at,
        "match_address": public_address(match_url(match)),
        "settings_address": public_address(reverse("reminders")),
    }
    mail = mails.letter(person, subject, f"account/email/{name}_message.txt", context)
    mail.priority = PRIORITY.now
    mail.save()
    mail.dispatch(disconnect_after_delivery=False)
    return bool(mail.status == STATUS.sent)


class Due(NamedTuple):
    """A notification to one user; ``phase`` is 0 for a challenge and for a town."""

    match: Match
    user_id: int
    phase: int
    kind: str
    words: str


def send_notifications(now: datetime | None = None) -> int:
    """Send the due notifications, each recorded before; return how many. What quiet hours hold back
    is sent after them, if its phase still lasts.
    """
    if not settings.VAPID_PRIVATE_KEY:
        return 0
    with only_run("notify") as is_only:
        return _notify_due(now or timezone.now()) if is_only else 0


def _notify_due(now: datetime) -> int:
    end = time.monotonic() + LONGEST_RUN
    run = push.Run()
    sent, portion = 0, list[Due]()
    for due in _all_due(now):
        if time.monotonic() > end:
            break
        if _is_first(due, now):
            portion.append(due)
        if len(portion) >= MOST_AT_ONCE:
            sent += _notify(run, portion)
            portion = []
    return sent + _notify(run, portion)


def _is_first(due: Due, now: datetime) -> bool:
    """Record a notification; return whether nobody has before."""
    if due.kind == "town":
        return bool(_unaware_of_towns(now).filter(user=due.user_id).update(town_at=now))
    _, is_first = Notification.objects.get_or_create(
        match=due.match, user_id=due.user_id, phase=due.phase, defaults={"at": now}
    )
    return is_first


def _notify(run: push.Run, portion: Sequence[Due]) -> int:
    """Send notifications to all browsers of their users; return how many took one."""
    browsers = defaultdict[int, list[PushSubscription]](list)
    for browser in PushSubscription.objects.filter(user__in={due.user_id for due in portion}):
        browsers[browser.user_id].append(browser)
    messages = [
        push.Message(
            browser,
            {"title": due.match.title, "body": due.words, "url": match_url(due.match)},
            sha256(due.match.public_id.encode()).hexdigest()[:32],
        )
        for due in portion
        for browser in browsers[due.user_id]
    ]
    outcomes = Counter(run.send(messages))
    kinds = (push.Sent.FAILED, push.Sent.TIMED_OUT, push.Sent.LEFT_OUT)
    if failed := sum(outcomes[kind] for kind in kinds):
        log.warning("%d of %d browsers got no notification", failed, len(messages))
    return outcomes[push.Sent.TAKEN]


def _all_due(now: datetime) -> Iterator[Due]:
    """Yield all due notifications; a match is done when all of its own were taken."""
    rows = ReminderDue.objects.filter(match__game__in=registry.slugs(), push_at__lte=now)
    due = list(rows.order_by("push_at", "pk")[:MOST_MATCHES])
    found = selectors.snapshots(row.pk for row in due) if due else {}
    for row in due:
        later = None
        snapshot = found.get(row.pk)
        phase = None if snapshot is None else phase_of(snapshot)
        if snapshot is not None and phase is not None and phase.no == row.phase:
            held: list[datetime] = []
            is_first = row.push_at == snapshot.match.started_at
            yield from _due_in(snapshot, phase.no, now, held, is_first=is_first)
            later = min(held, default=None)
            later = later if later is None or later < phase.ends_at else None
        ReminderDue.objects.filter(pk=row.pk, phase=row.phase).update(push_at=later)
    yield from _challenges(now)
    yield from _towns(now)


def _due_in(
    snapshot: Snapshot, phase: int, now: datetime, held: list[datetime], *, is_first: bool
) -> Iterator[Due]:
    """Yield the due ones of a phase; ``held`` gets the ends of the quiet hours of the others.
    ``is_first``: at the first look at the first phase.
    """
    match = snapshot.match
    people = {sitter.user_id: seat for seat, sitter in snapshot.sitters.items() if not sitter.bot}
    for user_id, choice in choices_of(people).items():
        waits = need_of(snapshot, people[user_id]) is not None
        kinds = {"start": is_first, "turn": waits, "phase": not waits}
        wanted = (kind for kind, holds in kinds.items() if holds and getattr(choice, kind))
        kind = next(wanted, None)
        if kind is None:
            continue
        until = quiet_until(choice, now)
        if until is None:
            yield Due(match, user_id, phase, kind, _words(snapshot, kind))
        else:
            held.append(until)


def _words(snapshot: Snapshot, kind: str) -> str:
    """Return the game's notice of its last public fact that has one, else the common words."""
    notices = registry.table(snapshot.match.game).speech.notices
    kinds = (str(json.loads(line.text)["kind"]) for line in reversed(snapshot.lines))
    said = next((notices[found] for found in kinds if found in notices), None)
    if said is None or kind == "start":
        return WORDS[kind]
    return f"{said} {WORDS['turn']}" if kind == "turn" else said


def _challenges(now: datetime) -> Iterator[Due]:
    rows = Match.objects.filter(
        game__in=registry.slugs(),
        status=Match.Status.OPEN,
        invited__push_subscriptions__isnull=False,
        seats__user=F("opened_by"),
        opened_at__gt=now - FRESH,
    ).exclude(seats__user=F("invited"))
    matches = list(rows.distinct())
    if matches:
        Notification.objects.filter(phase=0, at__lt=now - 2 * FRESH).delete()
    choices = choices_of([match.invited_id for match in matches if match.invited_id])
    for match in matches:
        choice = choices.get(match.invited_id or 0)
        if choice is not None and choice.challenge and quiet_until(choice, now) is None:
            yield Due(match, choice.user_id, 0, "challenge", WORDS["challenge"])


def _unaware_of_towns(now: datetime) -> QuerySet[PushChoice]:
    """Return the choices of those who want notices of towns, and had none lately."""
    untold = Q(town_at=None) | Q(town_at__lte=now - TOWN_PAUSE)
    return PushChoice.objects.filter(untold, town=True)


def _towns(now: datetime) -> Iterator[Due]:
    """Yield each town that a person has just opened for everybody and that has a free seat, for
    those who sit at no table, unless they keep apart from the opener.
    """
    fresh = Match.objects.filter(
        game__in=[game.slug for game in registry.tables() if game.town_config],
        status=Match.Status.OPEN,
        listed=True,
        predecessor=None,
        opened_by__is_bot=False,
        opened_by__is_program=False,
        seats__user=F("opened_by"),
        opened_at__gt=now - FRESH,
        opened_at__lte=now - TOWN_AGE,
    )
    playing = Seat.objects.filter(of_match(status__in=Match.LIVE), user=OuterRef("user"))
    waiting = list(fresh.values_list("pk", flat=True))
    for snapshot in selectors.snapshots(waiting).values() if waiting else ():
        if all(seat.taken for seat in snapshot.state.seats):
            continue
        away = apart_from(snapshot.match.opened_by_id or 0)
        free = _unaware_of_towns(now).filter(~Exists(playing), user__is_frozen=False)
        users = list(free.exclude(user__in=away).values_list("user", flat=True))
        for user_id, choice in choices_of(users).items():
            if quiet_until(choice, now) is None:
                yield Due(snapshot.match, user_id, 0, "town", WORDS["town"])
