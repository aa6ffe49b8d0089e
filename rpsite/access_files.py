"""The files of the access log. A file has a day of UTC and a number; several processes append to
it, each line by one write.
Source: docs/how-to/run-a-site.md "The access log".
"""

import json
import logging
import os
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from rpsite.logs import one_line

#: Bytes of a file, files, and days for which they are kept.
LARGEST: Final = 50_000_000
MOST_FILES: Final = 10
DAYS: Final = 14
#: Seconds after which a process looks whether its file is still the newest.
LOOK_AGAIN: Final = 60.0
_DAY: Final = 86_400


class AccessFile(logging.Handler):
    """Appends lines to the newest file of the folder; a full disk loses lines and nothing else."""

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
        line = (self._format(record) + "\n").encode()
        with suppress(OSError):
            if self._left < len(line) or record.created >= self._until:
                self._open(record.created)
            self._left -= os.write(self._file, line)

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


def _as_line(record: logging.LogRecord) -> str:
    facts = dict(vars(record)["facts"])
    at = time.strftime("%H:%M:%S", time.gmtime(record.created))
    begin = f"{at}.{int(record.msecs):03d} {record.msg} [{facts.pop('id')}]"
    return one_line(" ".join((begin, *(f"{name}={value}" for name, value in facts.items()))))


def _as_json(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    return json.dumps({"at": at, "what": record.msg, **vars(record)["facts"]})
