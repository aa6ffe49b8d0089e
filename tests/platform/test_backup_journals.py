import contextlib
import errno
import hashlib
import os
import random
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.archives import archiving
from games.matches.models import ArchivedJournal
from rpsite import backups
from rpsite.backups import journals
from rpsite.backups.files import BackupFailed
from rpsite.backups.journals import Journal, Snapshot
from tests.forms import form
from tests.games.finished import finished

#: Bytes of a part in these tests, and of the longest text.
PART, LONGEST = 40_000, 9_000


class Archive:
    """Archived journals in the place of a database; histories may differ in the same matches."""

    def __init__(self) -> None:
        self.rows: dict[int, tuple[Journal, bytes]] = {}
        self.asked = 0

    def add(self, match_id: int, text: bytes) -> None:
        digest = hashlib.sha256(text).hexdigest()
        self.rows[match_id] = Journal(match_id, 1, len(text), digest), text

    def store(self, copy: Path) -> None:
        """Store what a copy made now would lack."""
        rows = (row for row, _ in self.rows.values())
        journals.store(copy, Snapshot(rows, self.texts))

    def texts(self, match_ids):
        self.asked += len(match_ids)
        return ((self.rows[pk][0].digest, self.rows[pk][1]) for pk in match_ids)


def parts(folder: Path) -> list[Path]:
    return sorted((folder / "journals").glob("*.sqlite3"))


STEPS = st.lists(st.sampled_from(("archive", "copy", "copy", "fail", "go back")), max_size=30)


@settings(max_examples=form(20, in_all=60, in_long=500), deadline=None)
@given(seed=st.integers(0, 2**32), steps=STEPS)
def test_every_copy_reads_back_what_it_had(tmp_path_factory, seed, steps):
    folder, chance = tmp_path_factory.mktemp("backups"), random.Random(seed)
    archive, copies = Archive(), dict[Path, dict[int, tuple[Journal, bytes]]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journals, "PART", PART)
        for number, step in enumerate([*steps, "copy"]):
            if step == "archive":
                for _ in range(chance.randrange(12)):
                    match_id = chance.randrange(60)
                    if match_id not in archive.rows:
                        archive.add(match_id, chance.randbytes(chance.randint(1, LONGEST)))
            elif step == "go back":
                archive.rows = dict(chance.choice([*copies.values(), {}]))
            else:
                copy = folder / f"site-{number}.sqlite3"
                if step == "copy":
                    archive.store(copy)
                    copies[copy] = dict(archive.rows)
                else:
                    fail(patch, chance, copy, archive)
    for copy, rows in copies.items():
        assert {row.match_id: (row, text) for row, text in journals.read(copy)} == rows
        assert journals.list_of(copy).exists() == bool(rows)
    digests = []
    for part in parts(folder):
        with contextlib.closing(sqlite3.connect(part)) as opened:
            digests += opened.execute("SELECT digest FROM journal").fetchall()
    assert len(digests) == len(set(digests)), "a text is written once"
    sizes = [part.stat().st_size for part in parts(folder)]
    assert all(PART <= size < 2 * PART for size in sizes[:-1]), "only the newest part is small"
    assert not list(folder.rglob(".draft-*"))


def fail(patch: pytest.MonkeyPatch, chance: random.Random, copy: Path, archive: Archive) -> None:
    """Make a copy that fails when it gives a file its name, as on a full disk."""
    publish, room = journals.publish, iter(range(chance.randrange(3)))

    def stop(draft: Path, final: Path) -> None:
        if next(room, None) is None:
            raise OSError("no space")
        publish(draft, final)

    with patch.context() as here, contextlib.suppress(OSError):
        here.setattr(journals, "publish", stop)
        archive.store(copy)


def test_a_copy_asks_for_new_texts_only(tmp_path):
    """A lost part is told and written again."""
    archive, copies = Archive(), iter(tmp_path / f"site-{no}.dump" for no in range(9))
    for match_id in range(1_200):
        archive.add(match_id, b"%d" % match_id)
    archive.store(copy := next(copies))
    assert archive.asked == 1_200
    archive.add(5_000, b"one more")
    for _ in range(2):
        archive.store(next(copies))
        assert archive.asked == 1_201
    (part,) = parts(tmp_path)
    part.unlink()
    with pytest.raises(BackupFailed, match="1200 archived journals are missing"):
        list(journals.read(copy))
    archive.store(next(copies))
    assert len(list(journals.read(copy))) == 1_200


def test_a_full_disk_is_told_in_a_sentence(tmp_path):
    def write(draft):
        raise OSError(errno.ENOSPC, "No space left on device", str(draft))

    with pytest.raises(BackupFailed, match="No space left on device"):
        backups.make(tmp_path, copy=write)
    assert list(tmp_path.iterdir()) == []


def test_lists_of_copies_of_either_database_stay(tmp_path):
    kept = {"site-1.dump", "site-1.journals", "site-2.sqlite3", "site-2.journals"}
    for name in (*kept, "site-3.journals"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    copy = backups.make(tmp_path, copy=lambda draft: None)
    assert {path.name for path in tmp_path.iterdir()} == kept | {copy.name}


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_copy_of_the_database_lists_its_archived_journals(tmp_path):
    for _ in range(2):
        archiving.archive(finished("duel").match.pk)
    copy = backups.make(tmp_path)
    kept = {row.match_id: bytes(row.data) for row in ArchivedJournal.objects.all()}
    assert {row.match_id: bytes(text) for row, text in journals.read(copy)} == kept
    assert len(kept) == 2
