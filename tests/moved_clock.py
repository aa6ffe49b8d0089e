"""One clock for all processes of a site under test, which stands in a file and can be moved."""

import os
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

#: Names the file.
VARIABLE = "MOVED_CLOCK"

_machine = timezone.now


def follow() -> None:
    """Follow the clock of the file that the environment names, if it names one."""
    timezone.now = _now


def _now() -> datetime:
    # A forked process has another environment than the one in which this was set up.
    path = os.environ.get(VARIABLE)
    return _machine() + ahead(Path(path)) if path else _machine()


def ahead(path: Path) -> timedelta:
    return timedelta(seconds=float(path.read_text() or 0)) if path.exists() else timedelta()


def move(path: Path, by: timedelta) -> None:
    new = path.with_suffix(".new")
    new.write_text(str((ahead(path) + by).total_seconds()))
    new.replace(path)
