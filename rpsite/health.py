"""The health check of a process: whether it can read and write the database, and has room to."""

import secrets
import time
from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from rpsite.disk import FULL, warn_of_disk
from rpsite.processes.listening import PROCESS, START, VERSION, WEB
from rpsite.processes.start import own_token

WELL: Final = "ok"
#: Seconds for which a result is cached: anybody may ask, and each check is a commit.
GOOD_FOR: Final = {True: 5.0, False: 1.0}
#: An expired session that no user has; it is deleted with other ended ones.
_KEY: Final = "healthz"
_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


class _Look:
    """The last check of this process."""

    found = ""
    until = 0.0


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 "ok" if the database accepts a write and the disk has room, otherwise 503. The
    headers say who answers.
    """
    if time.monotonic() >= _Look.until:
        _Look.found = _found()
        _Look.until = time.monotonic() + GOOD_FOR[_Look.found == WELL]
    names = {PROCESS: WEB, VERSION: settings.VERSION, START: own_token()}
    status = 200 if _Look.found == WELL else 503
    return HttpResponse(_Look.found, status=status, content_type="text/plain", headers=names)


def _found() -> str:
    if warn_of_disk() == FULL:
        return "no room"
    return WELL if _can_write() else "no database"


def _can_write() -> bool:
    # SQLite writes nothing where nothing changes.
    row = Session(session_key=_KEY, session_data=secrets.token_hex(8), expire_date=_LONG_AGO)
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
