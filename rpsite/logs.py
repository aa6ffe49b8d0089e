"""Log formatters for Django and Celery, the masking of secrets, and the files of the access log."""

import json
import logging
import os
import re
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import SuspiciousOperation
from django.db import Error as DatabaseError
from django.db import OperationalError
from redis import RedisError

from games.realtime.access import trace
from games.realtime.limits import Bucket

#: Names whose values are secrets: seeds of matches, cookies, passwords, tokens.
_NAMED = re.compile(
    r"""(?ix) (["']? \b (?: seed | sessionid | __Host-session | csrftoken | password
        | secret(?:_key)? | token | authorization | cookie ) ["']? \s* [:=] \s*) (?: Bearer \s+ )?
        ( "[^"]*" | '[^']*' | [^\s,;)}\]]+ )"""
)
#: The seed of a match is 64 hex digits; so is its commitment, which logs do not need.
_SEED = re.compile(r"\b[0-9a-f]{64}\b")
#: The token of a program, as accounts/tokens.py creates it.
_TOKEN = re.compile(r"\brrt_[A-Za-z0-9_-]{8,}")
#: Characters that begin a new line or move the cursor of a terminal.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
#: Characters of such a line of ``Brief``.
LONGEST_BRIEF: Final = 300
_PASSWORD_IN_URL = re.compile(r"(?<=://)([^\s:/@]*):([^\s@/]+)@")
#: Seconds in which one line of a kind is enough.
A_WHILE: Final = 60.0
#: Kinds that are remembered; further ones pass.
MOST_KINDS: Final = 500
#: What many tasks meet at once, again and again: a database or a Redis that is away, a full disk.
_AWAY: Final = (DatabaseError, RedisError, OSError)

Key = tuple[object, ...]
#: Bytes of a file, files, and days for which they are kept.
LARGEST: Final = 50_000_000
MOST_FILES: Final = 10
DAYS: Final = 14
#: Seconds after which a process looks whether its file is still the newest.
LOOK_AGAIN: Final = 60.0
_DAY: Final = 86_400


def mask(text: str) -> str:
    """Return the text without the values of secrets.
    >>> mask("login failed: password='open sesame'")
    'login failed: password=***'
    """
    text = _NAMED.sub(r"\1***", text)
    text = _PASSWORD_IN_URL.sub(r"\1:***@", text)
    text = _TOKEN.sub("***", text)
    return _SEED.sub("***", text)


class OnceAWhile(logging.Filter):
    """Passes one warning or error of a kind a minute; the next line says how many were left out.
    Failures because something is away are of one kind by logger, sentence and the words in it;
    others by the whole line.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        #: Kind -> when its line was passed, how many came since, and its line.
        self._seen: dict[Key, tuple[float, int, logging.LogRecord]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or getattr(record, "is_count", False):
            return True
        now, key = time.monotonic(), _kind(record)
        with self._lock:
            over = [each for each, (at, *_) in self._seen.items() if at <= now - A_WHILE]
            ended = [self._seen.pop(each) for each in over]
            at, count, first = self._seen.get(key, (now, -1, record))
            if key in self._seen or len(self._seen) < MOST_KINDS:
                self._seen[key] = (at, count + 1, first)
        for _, left_out, line in ended:
            if left_out:
                _say_how_many(line, left_out)
        return first is record


def _kind(record: logging.LogRecord) -> Key:
    problem = record.exc_info[1] if record.exc_info else None
    if not isinstance(problem, _AWAY):
        return (record.name, record.getMessage())
    given = record.args
    # Celery's own lines have the number of a task's message beside its name.
    words = (given.get("name"),) if isinstance(given, dict) else given or ()
    texts = tuple(word for word in words if isinstance(word, str))
    return (record.name, record.msg, type(problem), *texts)


def _say_how_many(first: logging.LogRecord, count: int) -> None:
    words = {"msg": "%s … and %d more", "args": (first.getMessage(), count), "is_count": True}
    about = {"name": first.name, "levelno": first.levelno, "levelname": first.levelname}
    logging.getLogger(first.name).handle(logging.makeLogRecord(about | words))


class MaskSecrets(logging.Filter):
    """Removes the values of secrets from a record's message."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = mask(record.getMessage()), None
        return True


class Brief(logging.Filter):
    """Makes one line of what Django logs with a traceback for a request that it refuses, which
    anybody can send without end, or for a busy database; of each, twenty at once and one a second.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rates = {SuspiciousOperation: Bucket(1, 20), OperationalError: Bucket(1, 20)}
        self._left_out = dict.fromkeys(self._rates, 0)

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        kind = self._kind_of(problem) if record.name.startswith("django.") else None
        if kind is None:
            return True
        if not self._rates[kind].take():
            self._left_out[kind] += 1
            return False
        left_out, self._left_out[kind] = self._left_out[kind], 0
        text = f"{type(problem).__name__}: {record.getMessage()}"[:LONGEST_BRIEF]
        more = f" ({left_out} more left out)" if left_out else ""
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args = text + more, None
        record.exc_info = record.exc_text = None
        return True

    def _kind_of(self, problem: BaseException | None) -> type[Exception] | None:
        from rpsite.errors import is_away  # imports models

        if isinstance(problem, SuspiciousOperation):
            return SuspiciousOperation
        return OperationalError if is_away(problem) else None


def one_line(text: str) -> str:
    r"""Return the text with line breaks and control characters replaced by their codes.
    >>> print(one_line("bob\n12:00:00 ERROR games: he has won"))
    bob\x0a12:00:00 ERROR games: he has won
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


class LineFormatter(logging.Formatter):
    """Formats a record as one readable line, led by the id of what a request, a frame or a task
    did. Logged user input cannot forge a line: a message is one line, a traceback is indented.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is the library's
        line, name = super().formatMessage(record), trace.get()
        return one_line(line.replace(": ", f": [{name}] ", 1) if name else line)

    def formatException(self, ei: object) -> str:  # noqa: N802 - the name is the library's
        lines = mask(super().formatException(ei)).splitlines()  # type: ignore[arg-type]
        return "\n".join(f"    {_CONTROL.sub('?', line)}" for line in lines)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        if name := trace.get():
            entry["id"] = name
        if record.exc_info:
            entry["exception"] = mask(self.formatException(record.exc_info))
        # In ASCII, because some programs end a line at U+2028.
        return json.dumps(entry)


class AccessFile(logging.Handler):
    """Appends the lines of a record, by one write, to the newest of the day's files in the folder,
    as other processes do; a full disk loses lines and nothing else.
    """

    def __init__(
        self, folder: str, *, as_json: bool, largest: int = LARGEST, most: int = MOST_FILES
    ) -> None:
        super().__init__()
        self._folder = Path(folder)
        self._format = _as_json if as_json else _as_line
        self._largest, self._most = largest, most
        self._file = -1
        self._until = 0.0
        self._left = 0

    def emit(self, record: logging.LogRecord) -> None:
        lines = [self._format(record, facts) + "\n" for facts in vars(record)["facts"]]
        text = "".join(lines).encode()
        with suppress(OSError):
            if self._left < len(text) or record.created >= self._until:
                self._open(record.created)
            self._left -= os.write(self._file, text)

    def _open(self, now: float) -> None:
        """Open the file of this day that has room; delete old ones."""
        self.close()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        day = datetime.fromtimestamp(now, UTC)
        begin = f"access-{day:%Y-%m-%d}"
        numbers = [int(path.suffixes[0][1:]) for path in self._folder.glob(f"{begin}.*.log")]
        number = max(numbers, default=1)
        while True:
            path = self._folder / f"{begin}.{number:06d}.log"
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._left = self._largest - os.fstat(self._file).st_size
            if self._left > 0:
                break
            os.close(self._file)
            number += 1
        # Other processes write here and delete, too: look again soon.
        self._left = min(self._left, self._largest // 16 + 1)
        self._until = min((now // _DAY + 1) * _DAY, now + LOOK_AGAIN)
        self._forget(day)

    def _forget(self, day: datetime) -> None:
        paths = sorted(self._folder.glob("access-*.log"))
        oldest = f"access-{day - timedelta(days=DAYS):%Y-%m-%d}"
        for path in [*paths[: -self._most], *(path for path in paths if path.name < oldest)]:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file; a later line opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        self._left = 0
        super().close()


def _as_line(record: logging.LogRecord, facts: Mapping[str, Any]) -> str:
    at = time.strftime("%H:%M:%S", time.gmtime(record.created))
    begin = f"{at}.{int(record.msecs):03d} {record.msg} [{facts['id']}]"
    rest = [f"{name}={value}" for name, value in facts.items() if name != "id"]
    return one_line(" ".join((begin, *rest)))


def _as_json(record: logging.LogRecord, facts: Mapping[str, Any]) -> str:
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    return json.dumps({"at": at, "what": record.msg, **facts})
