"""Facts for ``/metrics`` from the database and the folder of backups. Times are seconds since 1970;
what has not happened yet has the time 0 and no result, so that each metric is there at once.
"""

from dataclasses import dataclass, field
from math import nan

from django.db.models import Count, Min, QuerySet
from django.utils import timezone
from post_office.models import STATUS, Email

from economy.overview import last_audit
from games.matches.models import Component, Match, SelfCheck
from rpsite import backups
from rpsite.status import PARTS, last_check

#: Metric -> what it means and its value.
Numbers = dict[str, tuple[str, float]]
#: Metric -> what it means, the name of its label, and a value for each.
Families = dict[str, tuple[str, str, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """Single numbers, and numbers for each value of a label."""

    numbers: Numbers = field(default_factory=dict)
    families: Families = field(default_factory=dict)


def stored_facts() -> StoredFacts:
    """Read all of them."""
    return StoredFacts(_audit() | _mail() | _backups(), _checks() | _parts() | _matches())


def _audit() -> Numbers:
    audit = last_audit()
    at, violations = (audit.at.timestamp(), audit.violations) if audit else (0.0, nan)
    return {
        "rr_audit_timestamp_seconds": ("The last audit.", at),
        "rr_audit_violations": ("Broken invariants that it found.", violations),
    }


def waiting_mails() -> QuerySet[Email]:
    """Return the mails that are not sent yet."""
    return Email.objects.filter(status__in=(STATUS.queued, STATUS.requeued))


def _mail() -> Numbers:
    found = waiting_mails().aggregate(count=Count("pk"), oldest=Min("created"))
    waits = (timezone.now() - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    return {
        "rr_mail_queued": ("Mails that wait.", found["count"]),
        "rr_mail_oldest_seconds": ("How long the oldest of them has waited.", max(waits, 0.0)),
    }


def _backups() -> Numbers:
    made = backups.made()
    newest = made[-1].stat() if made else None
    return {
        "rr_backups": ("Copies in the folder.", len(made)),
        "rr_backup_timestamp_seconds": ("The newest copy.", newest.st_mtime if newest else 0.0),
        "rr_backup_bytes": ("Its size.", newest.st_size if newest else nan),
    }


def _checks() -> Families:
    last = {kind.value: last_check(kind) for kind in SelfCheck.Kind}
    at = {kind: check.at.timestamp() if check else 0.0 for kind, check in last.items()}
    good = {kind: float(check.is_good) if check else nan for kind, check in last.items()}
    return {
        "rr_check_timestamp_seconds": ("The last check of its kind.", "check", at),
        "rr_check_good": ("Whether it found nothing wrong.", "check", good),
    }


def _parts() -> Families:
    rows = Component.objects.values_list("name", "beat_at")
    at = dict.fromkeys(PARTS, 0.0) | {name: beat_at.timestamp() for name, beat_at in rows}
    return {"rr_component_timestamp_seconds": ("When it last worked.", "component", at)}


def _matches() -> Families:
    rows = Match.objects.filter(status__in=Match.LIVE).order_by().values_list("status")
    found = {str(status): float(count) for status, count in rows.annotate(count=Count("pk"))}
    return {"rr_matches": ("Live matches.", "status", found)}
