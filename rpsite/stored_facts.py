"""Facts for ``/metrics`` from the database and the folder of backups. Times are seconds since 1970;
what has not happened yet has the time 0 and no result, so that each metric is there at once.
"""

from collections.abc import Iterator, Mapping
from math import nan

from django.db.models import Count, Min, QuerySet
from django.utils import timezone
from post_office.models import STATUS, Email
from prometheus_client.core import GaugeMetricFamily, Metric

from economy.overview import last_audit
from games.matches.models import Component, Match, SelfCheck
from rpsite import backups
from rpsite.status import PARTS, last_check


def stored_facts() -> list[Metric]:
    """Read all of them."""
    return [*_audit(), *_mail(), *_backups(), *_checks(), _parts(), _matches()]


def by_label(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a metric with a value for each value of its label."""
    metric = GaugeMetricFamily(name, meaning, labels=[label])
    for key, value in values.items():
        metric.add_metric([key], value)
    return metric


def _audit() -> Iterator[Metric]:
    audit = last_audit()
    at, violations = (audit.at.timestamp(), audit.violations) if audit else (0.0, nan)
    yield GaugeMetricFamily("rr_audit_timestamp_seconds", "The last audit.", at)
    yield GaugeMetricFamily("rr_audit_violations", "Broken invariants that it found.", violations)


def waiting_mails() -> QuerySet[Email]:
    """Return the mails that are not sent yet."""
    return Email.objects.filter(status__in=(STATUS.queued, STATUS.requeued))


def _mail() -> Iterator[Metric]:
    found = waiting_mails().aggregate(count=Count("pk"), oldest=Min("created"))
    waits = (timezone.now() - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    yield GaugeMetricFamily("rr_mail_queued", "Mails that wait.", found["count"])
    oldest = "How long the oldest of them has waited."
    yield GaugeMetricFamily("rr_mail_oldest_seconds", oldest, max(waits, 0.0))


def _backups() -> Iterator[Metric]:
    made = backups.made()
    newest = made[-1].stat() if made else None
    at, size = (newest.st_mtime, newest.st_size) if newest else (0.0, nan)
    yield GaugeMetricFamily("rr_backups", "Copies in the folder.", len(made))
    yield GaugeMetricFamily("rr_backup_timestamp_seconds", "The newest copy.", at)
    yield GaugeMetricFamily("rr_backup_bytes", "Its size.", size)


def _checks() -> Iterator[Metric]:
    last = {kind.value: last_check(kind) for kind in SelfCheck.Kind}
    at = {kind: check.at.timestamp() if check else 0.0 for kind, check in last.items()}
    good = {kind: float(check.is_good) if check else nan for kind, check in last.items()}
    yield by_label("rr_check_timestamp_seconds", "The last check of its kind.", "check", at)
    yield by_label("rr_check_good", "Whether it found nothing wrong.", "check", good)


def _parts() -> Metric:
    rows = Component.objects.values_list("name", "beat_at")
    at = dict.fromkeys(PARTS, 0.0) | {name: beat_at.timestamp() for name, beat_at in rows}
    return by_label("rr_component_timestamp_seconds", "When it last worked.", "component", at)


def _matches() -> Metric:
    rows = Match.objects.filter(status__in=Match.LIVE).order_by().values_list("status")
    found = {str(status): float(count) for status, count in rows.annotate(count=Count("pk"))}
    return by_label("rr_matches", "Live matches.", "status", found)
