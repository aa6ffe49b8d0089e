"""The restore test: an operator's own command restores the newest copy into another database and
another ``var/`` and audits it there. The status page shows the result.
"""

import logging
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.core.cache import cache
from django.utils import timezone

from games.matches.models import SelfCheck
from games.matches.processing.status import note_check
from rpsite import backups
from rpsite.backups.files import BackupFailed
from rpsite.backups.journals import link
from rpsite.env import ROOT, VAR
from rpsite.status import last_check

log = logging.getLogger(__name__)

#: The hour in UTC after which the test of a night is due.
HOUR: Final = 3
#: Seconds for one test.
LONGEST: Final = 14 * 60
_TRYING: Final = "backups:trying"


def try_if_due(now: datetime | None = None) -> SelfCheck | None:
    """Test the newest copy once a night; return None if no test is due or there is no copy."""
    now = now or timezone.now()
    night = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if night > now:
        night -= timedelta(days=1)
    last = last_check(SelfCheck.Kind.RESTORE)
    return None if last is not None and last.at >= night else try_newest()


def try_newest(folder: Path = backups.FOLDER) -> SelfCheck | None:
    """Test the newest copy and store the result; None without a copy, or while another process
    tests one.
    """
    copies = backups.made(folder)
    if not copies or not cache.add(_TRYING, value=True, timeout=LONGEST + 60):
        return None
    try:
        is_good, note = _try(copies[-1])
    finally:
        cache.delete(_TRYING)
    note_check(SelfCheck.Kind.RESTORE, note, is_good=is_good)
    return last_check(SelfCheck.Kind.RESTORE)


def _try(copy: Path) -> tuple[bool, str]:
    """Restore a copy; return whether all is well, and a sentence for everybody."""
    begun = time.monotonic()
    made = datetime.fromtimestamp(copy.stat().st_mtime, tz=timezone.get_default_timezone())
    what = f"copy of {made:%-d %b %H:%M}"
    try:
        with (
            tempfile.TemporaryDirectory(prefix="restore-test-", dir=VAR) as name,
            backups.empty_database(place := Path(name)) as url,
        ):
            done = _restore(link(copy, place), url, place)
    except subprocess.TimeoutExpired:
        return False, f"{what}: not restored in {LONGEST // 60} minutes"
    except (BackupFailed, OSError) as problem:
        log.critical("restore test: %s", problem)
        return False, f"{what}: no place to restore it"
    if done.returncode != 0:
        log.critical("restore test: %s", (done.stderr or done.stdout).strip()[-1000:])
        return False, f"{what}: not restored, or the audit found something"
    audit = done.stdout.strip().splitlines()[-1]
    return True, f"{what} in {time.monotonic() - begun:.0f} s, {audit}"


def _restore(copy: Path, url: str, place: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - this Python, and no shell
        [sys.executable, str(ROOT / "manage.py"), "restore", str(copy)],
        env=os.environ | {"DATABASE_URL": url, "SITE_VAR": str(place / "var")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if sys.stderr.isatty() else subprocess.PIPE,
        text=True,
        timeout=LONGEST,
        check=False,
    )
