"""Notifications to browsers: slow games that begin, wait or go on, and challenges.

Like the mails they depend on public data only, and their texts are the game's ``notices`` or say
no more than that something waits: a locked screen shows them to anybody.

Source: docs/how-to/run-a-site.md "Notifications".
"""

import json
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from accounts import push
from accounts.models import PushSubscription
from accounts.push import choices_of, quiet_until
from accounts.tasks import only_run
from games import registry
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Notification, ReminderDue
from games.matches.queries import selectors
from games.matches.queries.addresses import match_url
from games.notices.attention import need_of
from games.notices.reminders import phase_of

log = logging.getLogger(__name__)

#: The most matches checked in one run, and seconds after which a run starts no more messages.
MOST_MATCHES, LONGEST_RUN = 100, 8.0
#: Notifications on their way at the same time: a silent service holds up a portion, for 2 s.
MOST_AT_ONCE = 20
#: A challenge that is older when it is found is not announced any more.
FRESH: Final = timedelta(minutes=5)
#: Kind -> the words where the game has no notice of its own.
WORDS: Final[Mapping[str, str]] = {
    "turn": "It is your turn.",
    "start": "Your game begins.",
    "phase": "A new phase begins.",
    "challenge": "You have a challenge.",
}


class Due(NamedTuple):
    """A notification to one user; ``phase`` is 0 for a challenge."""

    match: Match
    user_id: int
    phase: int
    kind: str
    words: str


def send_notifications(now: datetime | None = None) -> int:
    """Send the due notifications, each once to each browser of its user; return how many.

    A notification is recorded before it is sent, so neither a crash nor a second worker repeats
    it, and one that a push service refuses is lost.  What quiet hours hold back is sent after
    them, if its phase still lasts.
    """
    if not settings.VAPID_PRIVATE_KEY:
        return 0
    with only_run("notify") as is_only:
        return _send_due(now or timezone.now()) if is_only else 0


def _send_due(now: datetime) -> int:
    end = time.monotonic() + LONGEST_RUN
    run = push.Run()
    sent, portion = 0, list[Due]()
    for due in _all_due(now):
        if time.monotonic() > end:
            break
        _, is_first = Notification.objects.get_or_create(
            match=due.match, user_id=due.user_id, phase=due.phase, defaults={"at": now}
        )
        if is_first:
            portion.append(due)
        if len(portion) >= MOST_AT_ONCE:
            sent += _send(run, portion)
            portion = []
    return sent + _send(run, portion)


def _send(run: push.Run, portion: Sequence[Due]) -> int:
    """Send notifications to all browsers of their users; return how many took one."""
    browsers = defaultdict[int, list[PushSubscription]](list)
    for browser in PushSubscription.objects.filter(user__in={due.user_id for due in portion}):
        browsers[browser.user_id].append(browser)
    messages = [
        push.Message(browser, _shown(due), _topic(due))
        for due in portion
        for browser in browsers[due.user_id]
    ]
    outcomes = Counter(run.send(messages))
    kinds = (push.Sent.FAILED, push.Sent.TIMED_OUT, push.Sent.LEFT_OUT)
    if failed := sum(outcomes[kind] for kind in kinds):
        log.warning("%d of %d browsers got no notification", failed, len(messages))
    return outcomes[push.Sent.TAKEN]


def _shown(due: Due) -> Mapping[str, str]:
    return {"title": due.match.title, "body": due.words, "url": match_url(due.match)}


def _topic(due: Due) -> str:
    return sha256(due.match.public_id.encode()).hexdigest()[:32]


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


def _due_in(
    snapshot: Snapshot, phase: int, now: datetime, held: list[datetime], *, is_first: bool
) -> Iterator[Due]:
    """Yield the due ones of a phase; ``held`` gets the ends of the quiet hours of the others.
    ``is_first``: the game began with this phase, and this is the first look at it.
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
    """Yield the unanswered challenges to people who want to be told now."""
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
