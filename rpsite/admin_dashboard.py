"""The admin's front page: numbers that need attention, the site's state, the last records."""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince

from economy.admin_links import target_links
from economy.models import Account, Adjustment, AdminRecord
from economy.overview import last_audit
from economy.units import AccountKind, Unit
from games.matches.models import Downtime, Flag, Match, SelfCheck, WebProcess
from games.matches.queries import selectors
from games.moderation import cases
from games.people.charts import people_of
from rpsite import admin_ante
from rpsite.status import last_check

#: The period of outages on the front page.
_WEEK = timedelta(days=7)
#: The worker audits every minute; after this time without an audit, worker or beat is down.
_AUDIT_LATE = timedelta(minutes=3)
#: Every night a backup is restored and audited.
_RESTORE_LATE: Final = timedelta(hours=30)
#: Number of records on the front page.
_RECORDS = 8


class Card(NamedTuple):
    """One number of the front page; ``tone`` is good, bad or plain."""

    title: str
    value: str
    note: str
    url: str
    tone: str = "plain"


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add the last records, the cards whose pages the user may see, and what is asked once."""
    now = timezone.now()
    cards = [
        ("games.view_flag", _reports),
        ("games.view_flag", _flags),
        ("economy.view_adjustment", _adjustments),
        ("economy.view_account", _treasury),
        ("economy.view_transfer", _audit),
        ("games.view_match", _matches),
        ("games.view_webprocess", _processes),
        ("games.view_downtime", _outages),
        ("games.view_selfcheck", _restore),
    ]
    seen = [make for permission, make in cards if request.user.has_perm(permission)]
    context["cards"] = [make(now) for make in seen]
    records = list(AdminRecord.objects.order_by("-pk")[:_RECORDS])
    links = target_links(record.target for record in records)
    context["records"] = [
        (record, record.action.replace("_", " "), links[record.target]) for record in records
    ]
    context["ante"] = admin_ante.question(request)
    if request.user.has_perm("games.view_match"):
        context["people"] = people_of(now.date())
    return context


def _reports(now: datetime) -> Card:
    oldest = cases.open_reports().first()
    count = cases.open_reports().count()
    note = f"the oldest for {timesince(oldest.opened_at, now, depth=1)}" if oldest else "none waits"
    url = reverse("admin:games_report_queue")
    return Card("Open reports", str(count), note, url, "bad" if count else "good")


def _flags(now: datetime) -> Card:
    count = Flag.objects.filter(closed_at=None).exclude(kind__in=cases.REPORTS).count()
    url = f"{reverse('admin:games_flag_changelist')}?closed_at__isempty=1"
    return Card("Open flags", str(count), "of the site itself", url, "bad" if count else "good")


def _adjustments(now: datetime) -> Card:
    waiting = Adjustment.objects.filter(state=Adjustment.State.PROPOSED)
    count = waiting.count()
    url = reverse("admin:economy_adjustment_changelist")
    tone = "bad" if count else "good"
    return Card("Pending adjustments", str(count), "wait for a second administrator", url, tone)


def _treasury(now: datetime) -> Card:
    row = Account.objects.filter(kind=AccountKind.TREASURY, unit=Unit.POINT).first()
    held = row.balance if row and row.balance else 0
    return Card("Treasury", f"{held:,}", "points", reverse("admin:economy_account_changelist"))


def _audit(now: datetime) -> Card:
    last = last_audit()
    url = reverse("admin:economy_transfer_changelist")
    if last is None:
        return Card("Last audit", "none yet", "the worker makes one a minute", url, "bad")
    is_late = now - last.at > _AUDIT_LATE
    note = f"{last.at:%Y-%m-%d %H:%M} UTC" + (": is the worker away?" if is_late else "")
    tone = "bad" if last.violations or is_late else "good"
    return Card("Last audit", f"{last.violations} violations", note, url, tone)


def _matches(now: datetime) -> Card:
    running = Match.objects.filter(status=Match.Status.RUNNING).count()
    waiting = Match.objects.filter(status=Match.Status.OPEN).count()
    url = reverse("admin:games_match_changelist")
    return Card("Running games", str(running), f"open tables: {waiting}", url)


def _processes(now: datetime) -> Card:
    open_rows = WebProcess.objects.filter(closed_at=None)
    fresh = open_rows.filter(beat_at__gt=now - selectors.FRESH).count()
    last = open_rows.order_by("-beat_at").values_list("beat_at", flat=True).first()
    note = f"last heartbeat {last:%Y-%m-%d %H:%M} UTC" if last else "no heartbeat"
    url = reverse("admin:games_webprocess_changelist")
    return Card("Web processes", str(fresh), note, url, "good" if fresh else "bad")


def _outages(now: datetime) -> Card:
    lost = Downtime.objects.filter(ended_at__gt=now - _WEEK)
    count = lost.count()
    last = lost.order_by("-ended_at").values_list("ended_at", flat=True).first()
    note = f"last {last:%Y-%m-%d %H:%M} UTC" if last else "in the last seven days"
    url = reverse("admin:games_downtime_changelist")
    return Card("Outages", str(count), note, url, "bad" if count else "good")


def _restore(now: datetime) -> Card:
    last = last_check(SelfCheck.Kind.RESTORE)
    url = reverse("admin:games_selfcheck_changelist")
    if last is None:
        return Card("Restore test", "none yet", "after the first backup", url, "bad")
    is_late = now - last.at > _RESTORE_LATE
    note = f"{last.at:%Y-%m-%d %H:%M} UTC: {last.note}" + (": none since" if is_late else "")
    word = "passed" if last.is_good else "failed"
    return Card("Restore test", word, note, url, "bad" if is_late or not last.is_good else "good")
