"""Mail reminders of slow games, at the start of a phase or at half-time, and of appointed starts.

They depend on public data only: the phase, the shown deadline, and for each seat whether the
game waits for it, which does not depend on the role.  So neither a mail nor its absence reveals
a secret to its reader.

Source: docs/how-to/run-a-site.md "Reminders".
"""

import logging
import smtplib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils import timezone
from msgspec import UNSET
from post_office.connections import connections
from post_office.models import PRIORITY, STATUS
from post_office.settings import get_default_mailer

from accounts import mails
from accounts.mails import Reachable, public_address
from accounts.models import Reminders as Wanted
from games import registry
from games.engine.facts import as_datetime
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Notification, Reminder, ReminderDue
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
    """Send the due mails, each once; return how many. A mail is recorded before it is sent, so that
    neither a crash nor a second worker sends it twice; a mail that the server refuses is lost.
    While the server cannot be reached nothing is recorded, and the next run tries again.
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
    """Process these matches until the mail limit or a failure; return the number of mails sent."""
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
                    if not _send(snapshot.match, person, phase):
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
    """Return the users to remind now that the match waits for them; none after the phase."""
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
    """Whether the mail server can be reached now."""
    try:
        connections[get_default_mailer()]
    except (OSError, smtplib.SMTPException):
        log.warning("the mail server cannot be reached: reminders wait")
        return False
    return True


def _send(match: Match, person: Reachable, phase: Phase) -> bool:
    """Send one mail at once, without a queue that could repeat it; return whether it was sent."""
    subject, name = (SUBJECT, "needs_you") if phase.no else (BEGINS, "begins")
    context = {
        "title": match.title,
        "until": phase.ends_at,
        "match_address": public_address(match_url(match)),
        "settings_address": public_address(reverse("reminders")),
    }
    mail = mails.letter(person, subject, f"account/email/{name}_message.txt", context)
    mail.priority = PRIORITY.now
    mail.save()
    mail.dispatch(disconnect_after_delivery=False)
    return bool(mail.status == STATUS.sent)
