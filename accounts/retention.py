"""Periods for which personal data is kept, and its deletion afterwards; see /privacy/."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone
from post_office.models import Email
from post_office.utils import cleanup_expired_mails

from accounts.models import ApiToken, Device, StaffNote
from accounts.services import forget_ended_sessions


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of data and its period; ``old`` returns the rows from before an instant."""

    name: str
    kept: timedelta
    old: Callable[[datetime], QuerySet[Any]]
    #: By default the old rows are deleted at once.
    delete: Callable[[datetime], Any] | None = None


#: A session has an end of its own, and is kept no longer.  A browser keeps its cookie for two
#: years.
RULES: Final = (
    Rule(
        "ended log-ins: address and browser",
        timedelta(),
        lambda before: Session.objects.filter(expire_date__lte=before),
        lambda before: forget_ended_sessions(at=before),
    ),
    Rule(
        "mails",
        timedelta(days=30),
        lambda before: Email.objects.filter(created__lt=before),
        lambda before: cleanup_expired_mails(before, delete_attachments=True),
    ),
    Rule(
        "devices, as keyed hashes",
        timedelta(days=730),
        lambda before: Device.objects.filter(last_seen__lt=before),
    ),
    Rule(
        "notes of the staff",
        timedelta(days=365),
        lambda before: StaffNote.objects.filter(at__lt=before),
    ),
    Rule(
        "revoked tokens, as hashes",
        timedelta(days=365),
        lambda before: ApiToken.objects.filter(revoked_at__lt=before),
    ),
)


def delete_old(now: datetime | None = None) -> None:
    """Delete what is older than its rule says."""
    now = now or timezone.now()
    for rule in RULES:
        before = now - rule.kept
        if rule.delete is None:
            rule.old(before).delete()
        else:
            rule.delete(before)
