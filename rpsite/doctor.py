"""A look at each part of the site's surroundings, for ``manage.py doctor``, by what else the site
asks. No sentence contains the value of a variable that may hold a secret.
"""

import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import redis
from django.conf import settings
from django.core.checks import ERROR, Tags, run_checks
from django.core.mail import get_connection
from django.core.management.base import CommandError
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from accounts.push import public_key
from games.matches.models import Component
from rpsite import backups, schema
from rpsite.env import VAR
from rpsite.logs import mask, one_line
from rpsite.status import LATE, status_at
from rpsite.views import healthz

WELL, LOOK, BROKEN = "well", "look", "broken"
#: Seconds that a server has for its answer.
PATIENCE: Final = 4.0
#: Seconds by which clocks may differ.
#: Source: docs/how-to/run-a-site.md "Several of them".
CLOCKS_AGREE: Final = 0.5
#: Free bytes below which the database will soon take no write, and inodes.
LEAST_FREE: Final = 200_000_000
LEAST_INODES: Final = 1_000
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about one topic."""

    topic: str
    verdict: str
    sentence: str


Finds = Iterator[tuple[str, str]]


def look() -> Iterator[Finding]:
    """Look at everything, one topic after the other."""
    broken = set[str]()
    for topic, check in CHECKS.items():
        if "database" in broken and topic in NEED_DATABASE:
            yield Finding(topic, LOOK, "not seen, because of the database")
            continue
        for verdict, sentence in _answers(check):
            if verdict == BROKEN:
                broken.add(topic)
            yield Finding(topic, verdict, sentence)


def _answers(check: Callable[[], Finds]) -> Finds:
    try:
        yield from check()
    except Exception as problem:
        text = mask(one_line(str(problem).partition("\n")[0]))[:_LONGEST]
        yield BROKEN, f"{type(problem).__name__}: {text}"


def _variables() -> Finds:
    is_public = settings.SECURE_SSL_REDIRECT
    found = run_checks(include_deployment_checks=is_public)
    messages = [message for message in found if not message.is_silenced()]
    for message in messages:
        yield BROKEN if message.level >= ERROR else LOOK, f"{message.msg} ({message.id})"
    if not messages:
        kind = "HTTPS" if is_public else "plain HTTP, for a network that you trust"
        yield WELL, f"{settings.SETTINGS_MODULE} of version {settings.VERSION} ({kind})"


def _database() -> Finds:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    try:
        schema.require_present_schema()
    except CommandError as problem:
        yield BROKEN, str(problem)
        return
    messages = run_checks(tags=[Tags.database], databases=["default"])
    for message in messages:
        yield LOOK if message.id == schema.LATER_ID else BROKEN, message.msg
    if healthz(HttpRequest()).status_code != 200:
        yield BROKEN, "it answers, but takes no write"
    elif not messages:
        yield WELL, f"{connection.vendor} takes writes and has all migrations and triggers"


def _redis() -> Finds:
    is_own = "REDIS_URL" not in os.environ
    for url in dict.fromkeys((settings.REDIS_URL, settings.HINT_BUS_URL)):
        with redis.Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        ) as client:
            try:
                client.ping()
            except redis.RedisError as problem:
                if is_own:
                    yield LOOK, "it does not run: ./run site starts its own"
                else:
                    yield BROKEN, f"no answer to PING ({type(problem).__name__})"
                return
    yield WELL, f"it answers within {PATIENCE:g} s"
    yield from _keeps_messages()


def _keeps_messages() -> Finds:
    """A Redis that evicts keys loses Celery's messages; some servers do not tell."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as client:
        try:
            policy = client.config_get("maxmemory-policy").get("maxmemory-policy", "noeviction")
        except redis.ResponseError:
            return
    if policy != "noeviction":
        yield LOOK, f"maxmemory-policy is {policy}: set noeviction, or messages get lost"


def _mail() -> Finds:
    backend = settings.POST_OFFICE["BACKENDS"]["default"]
    if "smtp" not in backend:
        kind = backend.rpartition("backends.")[2].partition(".")[0]
        yield (
            LOOK if settings.SECURE_SSL_REDIRECT else WELL,
            f"nothing is sent: EMAIL_URL names {kind}",
        )
    else:
        with get_connection(backend, timeout=PATIENCE):
            yield WELL, "the server takes a connection and the log-in"


def _push() -> Finds:
    if public_key():
        yield WELL, "VAPID_PRIVATE_KEY is a key"
    else:
        yield LOOK, "without VAPID_PRIVATE_KEY there are no notifications"


def _paths() -> Finds:
    needed = os.R_OK | os.W_OK | os.X_OK
    places = (path for path in (VAR, backups.FOLDER) if path.exists())
    wrong = [path for path in places if not os.access(path, needed)]
    for path in wrong:
        yield BROKEN, f"{path} cannot be written by this user"
    secrets = [VAR / name for name in ("secret_key", "secret_key.old", "vapid_key")]
    for path in (*secrets, *backups.made()):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077:
            wrong.append(path)
            yield BROKEN, f"{path} can be read by others: chmod 600"
    if not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        wrong.append(Path(settings.STATIC_ROOT))
        yield BROKEN, f"{settings.STATIC_ROOT} has no files: ./run manage collectstatic --no-input"
    if not wrong:
        yield WELL, f"{VAR} can be written, and keys and copies be read by nobody else"


def _clock() -> Finds:
    differences = [abs(ahead) for ahead in _clocks_ahead()]
    if differences and max(differences) > CLOCKS_AGREE:
        yield BROKEN, f"a server's clock is {max(differences):.1f} s away from this one"
    ahead = Component.objects.filter(beat_at__gt=timezone.now() + timedelta(seconds=CLOCKS_AGREE))
    if ahead.exists():
        yield BROKEN, "the database has notes from the future: a clock was set back, or differs"
    elif not differences or max(differences) <= CLOCKS_AGREE:
        yield WELL, f"servers agree within {CLOCKS_AGREE:g} s, and nothing is from the future"


def _clocks_ahead() -> Iterator[float]:
    """Yield by how many seconds the clocks of database and Redis are ahead; silent ones are left
    out.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            yield float(cursor.fetchone()[0]) - time.time()
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as client:
        try:
            seconds, millionths = client.time()
        except redis.RedisError:
            return
        yield seconds + millionths / 1e6 - time.time()


def _disk() -> Finds:
    free, inodes = shutil.disk_usage(VAR).free, os.statvfs(VAR)
    if free < LEAST_FREE or (inodes.f_files and inodes.f_favail < LEAST_INODES):
        yield BROKEN, f"{free // 1_000_000:,} MB and {inodes.f_favail:,} files are free in {VAR}"
    else:
        yield WELL, f"{free // 1_000_000:,} MB are free in {VAR}"


def _parts() -> Finds:
    found = status_at(timezone.now())
    if found.audit and found.audit.violations:
        yield BROKEN, f"the last audit found {found.audit.violations} broken invariants"
    for check in found.checks:
        if check.last and not check.last.is_good:
            yield BROKEN, f"{check.title}: {check.last.note}"
    away = [part.title for part in found.parts if not part.works]
    if away:
        yield LOOK, f"silent for {LATE.seconds} s: {', '.join(away)}"
    else:
        yield WELL, "all parts of the status page work"


def _backups() -> Finds:
    made, free = backups.made(), shutil.disk_usage(VAR).free
    if free < (needed := backups.room()):
        yield LOOK, f"a copy needs {needed // 1_000_000:,} MB, {free // 1_000_000:,} MB are free"
    if settings.BACKUPS_KEPT < 1:
        yield LOOK, "BACKUPS_KEPT is 0: the site makes no copies"
    elif not made:
        yield LOOK, "there is no copy yet"
    else:
        age = time.time() - made[-1].stat().st_mtime
        is_old = age > 2 * backups.PAUSE
        yield LOOK if is_old else WELL, f"the newest of {len(made)} is {age / 3600:.1f} hours old"


NEED_DATABASE: Final = frozenset(("clock", "parts", "backups"))
CHECKS: Final[dict[str, Callable[[], Finds]]] = {
    "variables": _variables,
    "database": _database,
    "redis": _redis,
    "mail": _mail,
    "push": _push,
    "paths": _paths,
    "clock": _clock,
    "disk": _disk,
    "parts": _parts,
    "backups": _backups,
}
