"""Celery tasks of the economy."""

import logging
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from economy.audit import find_recent_violations
from economy.overview import record_audit

#: Longer than the minute between two runs, so that a late commit is not missed.
LOOK_BACK = timedelta(minutes=5)

logger = logging.getLogger(__name__)


@shared_task(name="economy.audit", ignore_result=True)
def audit() -> None:
    """Audit the last minutes of the ledger and record the result; beat runs it every 60 seconds."""
    violations = find_recent_violations(timezone.now() - LOOK_BACK)
    for violation in violations:
        logger.critical("ledger audit: %s", violation)
    record_audit(timezone.now(), len(violations))
