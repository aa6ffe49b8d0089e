"""Archived journals in backups. Each text is written once, into a part
(``journals/<time>.sqlite3``, about 64 MiB) that copies of any database share; a copy lacks these
rows, and ``site-<time>.journals`` beside it lists them with the digests of their texts.
"""

import contextlib
import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from rpsite.backups.files import BackupFailed, draft_in, one_at_a_time, publish

#: The ending of a list's name.
LIST: Final = ".journals"
#: Bytes of a part after which the next one is begun; a smaller one is written again with more.
PART: Final = 64 * 1024 * 1024
#: The number of texts that a snapshot is asked for at once.
CHUNK: Final = 500
#: Counts the archived matches of a restored database whose journals are nowhere.
LOST: Final = (
    "SELECT count(*) FROM games_match WHERE is_archived AND NOT EXISTS"
    " (SELECT 1 FROM games_archivedjournal AS kept WHERE kept.match_id = games_match.id)"
)
#: What is said if there are any.
LACKING: Final = (
    "archived journals are missing: a copy needs its .journals file and the folder journals"
    " beside it"
)
_DROP_FOUND: Final = "DELETE FROM missing WHERE digest IN (SELECT digest FROM part.journal)"


class Journal(NamedTuple):
    """An archived journal without its text; ``digest`` is in hex."""

    match_id: int
    format: int
    last_no: int
    digest: str


class Snapshot(NamedTuple):
    """The archived journals of the state of the database that was copied; ``texts`` asks for the
    digests and the texts of some matches.
    """

    journals: Iterable[Journal]
    texts: Callable[[Sequence[int]], Iterable[tuple[str, bytes]]]


def list_of(copy: Path) -> Path:
    """Return the path of a copy's list; a copy without a list is whole."""
    return copy.with_suffix(LIST)


def store(copy: Path, snapshot: Snapshot) -> None:
    """Write the texts that are in no part yet, then the list of a copy that is being made. Raises
    BackupFailed.
    """
    folder = copy.parent
    with one_at_a_time(folder), draft_in(folder) as draft:
        with _opened(draft) as listed:
            listed.execute(
                "CREATE TABLE journal (match_id INTEGER PRIMARY KEY, format INTEGER NOT NULL,"
                " last_no INTEGER NOT NULL, digest BLOB NOT NULL)"
            )
            rows = ((*row[:3], bytes.fromhex(row.digest)) for row in snapshot.journals)
            listed.execute("BEGIN")
            count = listed.executemany("INSERT INTO journal VALUES (?, ?, ?, ?)", rows).rowcount
            listed.execute("COMMIT")
            if count < 1:
                return
            _expect_all(listed)
            for part in _parts(folder):
                with _attached(listed, part):
                    listed.execute(_DROP_FOUND)
            _add(folder, _missing_texts(listed, snapshot))
        publish(draft, list_of(copy))


def read(copy: Path) -> Iterator[tuple[Journal, bytes]]:
    """Yield the archived journals that a copy lacks; a whole copy lacks none. Raises BackupFailed
    if the list or a part is damaged, or a text is in no part.
    """
    if not list_of(copy).exists():
        return
    with one_at_a_time(copy.parent), _opened(list_of(copy)) as listed:
        _expect_all(listed)
        for part in _parts(copy.parent):
            with _attached(listed, part):
                (said,) = listed.execute("PRAGMA part.integrity_check(1)").fetchone()
                if said != "ok":
                    raise _damaged(part, said)
                for match_id, form, last_no, digest, data in listed.execute(
                    "SELECT match_id, format, last_no, digest, data"
                    " FROM part.journal CROSS JOIN missing USING (digest)"
                ):
                    yield Journal(match_id, form, last_no, digest.hex()), data
                listed.execute(_DROP_FOUND)
        (lost,) = listed.execute("SELECT count(*) FROM missing").fetchone()
    if lost:
        raise BackupFailed(f"{lost} {LACKING}")


def link(copy: Path, place: Path) -> Path:
    """Link a copy and what it needs into another folder of the same disk; return the copy there."""
    with one_at_a_time(copy.parent):
        needed = [copy]
        if list_of(copy).exists():
            needed += [list_of(copy), *_parts(copy.parent)]
            _folder(place).mkdir(mode=0o700)
        for path in needed:
            there = place / path.relative_to(copy.parent)
            try:
                os.link(path, there)
            except OSError:
                shutil.copyfile(path, there)
    return place / copy.name


def _folder(backups: Path) -> Path:
    return backups / "journals"


def _parts(backups: Path) -> list[Path]:
    """Return the parts, the oldest first."""
    return sorted(_folder(backups).glob("*.sqlite3"))


def _expect_all(listed: sqlite3.Connection) -> None:
    """Make a temporary table of what was not found yet: everything on the list, by digest."""
    listed.execute(
        "CREATE TEMP TABLE missing"
        " (digest BLOB PRIMARY KEY, match_id, format, last_no) WITHOUT ROWID"
    )
    listed.execute(
        "INSERT INTO missing SELECT digest, match_id, format, last_no FROM journal ORDER BY digest"
    )


def _missing_texts(listed: sqlite3.Connection, snapshot: Snapshot) -> Iterator[tuple[str, bytes]]:
    ids = listed.execute("SELECT match_id FROM missing")
    while some := [match_id for (match_id,) in ids.fetchmany(CHUNK)]:
        yield from snapshot.texts(some)


def _add(backups: Path, texts: Iterator[tuple[str, bytes]]) -> None:
    """Write texts into parts; the newest part, if it is small, is replaced by one with more."""
    parts = _parts(backups)
    small = parts[-1] if parts and parts[-1].stat().st_size < PART else None
    for first in texts:
        _folder(backups).mkdir(mode=0o700, exist_ok=True)
        with draft_in(_folder(backups)) as draft:
            if small is not None:
                shutil.copyfile(small, draft)
            size = draft.stat().st_size
            with _opened(draft) as part:
                part.execute(
                    "CREATE TABLE IF NOT EXISTS journal"
                    " (digest BLOB PRIMARY KEY, data BLOB NOT NULL)"
                )
                part.execute("BEGIN")
                for digest, data in itertools.chain([first], texts):
                    part.execute("INSERT INTO journal VALUES (?, ?)", (bytes.fromhex(digest), data))
                    size += len(data)
                    if size >= PART:
                        break
                part.execute("COMMIT")
            name = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}Z.sqlite3"
            publish(draft, _folder(backups) / name)
        if small is not None:
            small.unlink()
            small = None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a list or a part; what is written is flushed to the disk later, as a whole file."""
    try:
        with contextlib.closing(sqlite3.connect(path, uri=True, isolation_level=None)) as opened:
            opened.execute("PRAGMA journal_mode=OFF")
            opened.execute("PRAGMA synchronous=OFF")
            yield opened
    except sqlite3.DatabaseError as problem:
        raise _damaged(path, str(problem)) from None


@contextlib.contextmanager
def _attached(listed: sqlite3.Connection, part: Path) -> Iterator[None]:
    try:
        listed.execute("ATTACH ? AS part", (f"file:{quote(str(part))}?mode=ro&immutable=1",))
        yield
        listed.execute("DETACH part")
    except sqlite3.DatabaseError as problem:
        raise _damaged(part, str(problem)) from None


def _damaged(path: Path, problem: str) -> BackupFailed:
    return BackupFailed(f"{path}: {problem}")
