import contextlib
import os
import shutil
import sqlite3
import stat
import threading
import time
from pathlib import Path

import pytest

from rpsite.backups.journals import LIST, list_of, read
from tests.faults.rig import Rig
from tests.platform import forks

pytestmark = pytest.mark.processes


def folder(rig: Rig) -> Path:
    return rig.var / "backups"


def copies(rig: Rig) -> list[Path]:
    """Return the copies, the oldest first, without the lists of their archived journals."""
    return sorted(path for path in folder(rig).glob("site-*") if path.suffix != LIST)


def parts(rig: Rig) -> list[Path]:
    return sorted((folder(rig) / "journals").iterdir())


def backup(rig: Rig, *words: str) -> Path:
    rig.hand("command", words=["backup", *words])
    return copies(rig)[-1]


def restore(rig: Rig, copy: Path) -> Path:
    """Replace the database by a copy; return the copy of what was replaced."""
    rig.hand.close()
    assert "0 violations" in rig.manage("restore", str(copy), "--overwrite")
    rig.hand = rig.another_hand()
    return copies(rig)[-1]


def refused(rig: Rig, *arguments: str) -> str:
    done = forks.run("manage.py", *arguments, env=rig.environment)
    assert done.returncode == 1, done.stdout
    return done.stderr


@pytest.mark.fault_profile
@pytest.mark.both_databases
def test_backup_of_a_running_site_is_restored_and_audited(rig: Rig) -> None:
    ann, bob, cleo = rig.hand("people", names=["ann", "bob", "cleo"])
    rig.hand("start_game", users=[ann["id"], bob["id"]])
    rig.hand("buy", user=cleo["id"], unit="ROCK", quantity=1)
    owned = rig.hand("owned", user=cleo["id"])
    web = rig.web()
    assert "bytes" in rig.hand("command", words=["backup"])
    (copy,) = copies(rig)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder(rig).stat().st_mode) == 0o700
    rig.hand("buy", user=cleo["id"], unit="ROCK", quantity=2)
    later = rig.hand("owned", user=cleo["id"])

    said = refused(rig, "restore", copy.name)
    assert "--overwrite" in said
    assert "stop the site first" in refused(rig, "restore", copy.name, "--overwrite")
    assert rig.hand("owned", user=cleo["id"]) == later

    web.end()
    rig.hand.close()
    said = rig.manage("restore", copy.name, "--overwrite")
    assert "0 violations" in said
    kept = copies(rig)[-1]
    assert kept != copy
    assert str(kept) in said
    rig.hand = rig.another_hand()
    assert rig.hand("owned", user=cleo["id"]) == owned
    rig.prove()
    # What was replaced can be put back too, and the site runs on it.
    restore(rig, kept)
    assert rig.hand("owned", user=cleo["id"]) == later
    rig.web()
    rig.prove_calm()
    assert not list(folder(rig).glob(".*"))


def test_backup_is_put_into_an_empty_place_but_not_if_it_is_torn_or_missing(rig: Rig) -> None:
    (ann,) = rig.people(1)
    owned = rig.hand("owned", user=ann["id"])
    assert owned["POINT"] == 100
    copy = backup(rig)
    rig.hand.close()
    torn = folder(rig) / f"torn{copy.suffix}"
    torn.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    for name in (torn.name, "no-such-copy"):
        assert "Nothing was changed" in refused(rig, "restore", name, "--overwrite")
    assert copy.name in refused(rig, "restore")
    rig.hand = rig.another_hand()
    assert rig.hand("owned", user=ann["id"]) == owned
    rig.hand.close()
    known = copies(rig)
    # No further word is needed where nothing is.
    if rig.is_on_postgresql:
        empty = "from django.db import connection as c; c.cursor().execute('DROP SCHEMA public"
        rig.manage("shell", "-c", f"{empty} CASCADE; CREATE SCHEMA public')")
    else:
        for path in rig.var.glob("site.sqlite3*"):
            path.unlink()
    assert "0 violations" in rig.manage("restore", copy.name)
    assert copies(rig) == known
    rig.hand = rig.another_hand()
    assert rig.hand("owned", user=ann["id"]) == owned


@pytest.mark.both_databases
def test_backup_is_due_every_hour_and_the_oldest_make_way(rig: Rig) -> None:
    def due(kept: int) -> bool:
        return bool(rig.hand("backup_if_due", kept=kept))

    assert not due(0)
    assert due(24)
    assert not due(24)
    rig.hand("command", words=["backup"], BACKUPS_KEPT=2)
    rig.hand("command", words=["backup"], BACKUPS_KEPT=2)
    first, second = copies(rig)
    an_hour_ago = time.time() - 3601
    for copy in (first, second):
        os.utime(copy, (an_hour_ago, an_hour_ago))
    left = [folder(rig) / name for name in (".draft-1-1", f"site-1{LIST}", second.stem + LIST)]
    for path in left:
        path.touch()
        os.utime(path, (0, 0))
    assert due(2)
    assert (copies(rig)[0], len(copies(rig))) == (second, 2)
    is_there = [path.exists() for path in left]
    assert is_there == [False, False, True], "what a killed process has left is removed"


@pytest.mark.both_databases
def test_newest_backup_is_tried_in_a_place_of_its_own(rig: Rig) -> None:
    (ann,) = rig.hand("people", names=["ann"])
    owned = rig.hand("owned", user=ann["id"])
    assert "no backup" in refused(rig, "try_restore")
    rig.hand("command", words=["backup"])
    said = rig.manage("try_restore")
    assert "0 violations" in said
    (copy,) = copies(rig)
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    assert "not restored" in refused(rig, "try_restore")
    assert not list(rig.var.glob("restore-test-*"))
    told = "from games.matches.models import SelfCheck as s; print([c.is_good for c in s.objects"
    assert "[True, False]" in rig.manage("shell", "-c", f"{told}.order_by('pk')])")
    assert rig.hand("owned", user=ann["id"]) == owned
    rig.prove()


@pytest.mark.fault_profile
@pytest.mark.both_databases
def test_archived_journals_are_kept_once_for_the_copies_of_all_histories(rig: Rig) -> None:
    one, two, three = rig.hand("finish_duels", count=3)
    before = backup(rig)
    assert not list_of(before).exists(), "no journal is archived, so the copy is whole"
    rig.hand("archive", matches=[one])
    first, archived = backup(rig), rig.hand("archived")
    assert list(archived) == [str(one)]
    (part,) = parts(rig)
    assert stat.S_IMODE(part.stat().st_mode) == stat.S_IMODE(list_of(first).stat().st_mode) == 0o600
    rig.hand("archive", matches=[two])
    second = backup(rig)
    (larger,) = parts(rig)
    assert larger != part, "a small part is replaced by one with more"

    # In this history the match has another journal than the one of the same number before.
    (four,) = rig.hand("finish_duels", count=1)
    rig.hand("archive", matches=[four])
    gone, of_the_gone = backup(rig), rig.hand("archived")
    whole = restore(rig, first)
    assert not list_of(whole).exists(), "what is replaced is kept in one file"
    assert rig.hand("archived") == archived
    (again,) = rig.hand("finish_duels", count=1)
    assert again == four
    rig.hand("archive", matches=[again, three])
    now, of_now = backup(rig), rig.hand("archived")
    assert of_now[str(four)] != of_the_gone[str(four)]
    assert {row.match_id for row, _ in read(second)} == {one, two}
    for copy, expected in ((gone, of_the_gone), (now, of_now)):
        restore(rig, copy)
        assert rig.hand("archived") == expected
    rig.prove_calm()


@pytest.mark.both_databases
def test_copy_without_its_archived_journals_is_refused_until_they_are_written_again(rig: Rig):
    rig.hand("archive", matches=rig.hand("finish_duels", count=2))
    archived = rig.hand("archived")
    copy, whole = backup(rig), backup(rig, "--whole")
    (part,) = parts(rig)
    alone = rig.var / "elsewhere"
    alone.mkdir()
    shutil.copy(whole, alone / f"whole{whole.suffix}")
    shutil.copy(copy, alone / f"site-1{copy.suffix}")
    rig.hand.close()

    said = refused(rig, "restore", str(alone / f"site-1{copy.suffix}"), "--overwrite")
    assert "archived journals are missing" in said
    assert "Nothing was changed" in said
    good = part.read_bytes()
    part.write_bytes(good[: len(good) // 2])
    assert str(part) in refused(rig, "restore", copy.name, "--overwrite")
    rig.hand = rig.another_hand()
    assert str(part) in refused(rig, "backup")
    part.unlink()
    rig.hand.close()
    assert "2 archived journals are missing" in refused(rig, "restore", copy.name, "--overwrite")
    rig.hand = rig.another_hand()
    assert rig.hand("archived") == archived
    backup(rig)
    restore(rig, copy)
    assert rig.hand("archived") == archived
    restore(rig, alone / f"whole{whole.suffix}")
    assert rig.hand("archived") == archived


@pytest.mark.fault_profile
@pytest.mark.both_databases
def test_copies_made_while_journals_are_archived_lack_none(rig: Rig) -> None:
    other = rig.another_hand()
    first, *others = matches = rig.hand("finish_duels", count=30)
    rig.hand("archive", matches=[first])
    given = {"matches": others, "pause": 0.1}
    work = threading.Thread(target=other, args=["archive"], kwargs=given)
    work.start()
    between = backup(rig)
    assert "0 violations" in rig.manage("try_restore")
    work.join()
    assert 0 < len(list(read(between))) < len(matches)
    assert len(list(read(backup(rig)))) == len(matches)
    assert "0 violations" in rig.manage("try_restore")
    assert rig.alarms() == []


def test_copy_of_tables_is_what_sqlite_itself_would_copy(rig: Rig) -> None:
    rig.hand("archive", matches=rig.hand("finish_duels", count=2)[:1])
    # A number that was given and whose row is gone must not be given again.
    made = "from django.contrib.auth.models import Group; Group.objects.create(name='a').delete()"
    rig.manage("shell", "-c", made)
    thin, whole = backup(rig), backup(rig, "--whole")

    def said(path: Path) -> list[str]:
        with contextlib.closing(sqlite3.connect(path)) as opened:
            lines = list(opened.iterdump())
        left_out = 'INSERT INTO "games_archivedjournal"'
        return [line for line in lines if not line.startswith(left_out)]

    assert len(said(thin)) > 500
    assert said(thin) == said(whole)
