"""The health check of a process: whether it can read and write the database."""

import time
from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from rpsite.processes.listening import PROCESS, START, VERSION, WEB
from rpsite.processes.start import own_token

#: Seconds for which a result is cached: anybody may ask, and each check is a commit.
GOOD_FOR: Final = {True: 5.0, False: 1.0}
#: An expired session that no user has; it is deleted with other ended ones.
_KEY: Final = "healthz"
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


class _Look:
    """The last check of this process."""

    is_well = False
    until = 0.0


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 "ok" if the database accepts a write, otherwise 503; say who answers."""
    if time.monotonic() >= _Look.until:
        _Look.is_well = _can_write()
        _Look.until = time.monotonic() + GOOD_FOR[_Look.is_well]
    said, status = ("ok", 200) if _Look.is_well else ("no database", 503)
    names = {PROCESS: WEB, VERSION: settings.VERSION, START: own_token()}
    return HttpResponse(said, status=status, content_type="text/plain", headers=names)


def _can_write() -> bool:
    row = Session(session_key=_KEY, session_data="", expire_date=_LONG_AGO)
    try:
        Session.objects.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["session_key"],
            update_fields=["session_data"],
        )
    except DatabaseError:
        return False
    return True
