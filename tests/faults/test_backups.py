"""F18: a copy made beside a running site is put back, and everything in it holds."""

import os
import stat
import time
from pathlib import Path

import pytest

from tests.faults.rig import Rig
from tests.platform import forks

pytestmark = pytest.mark.processes


def folder(rig: Rig) -> Path:
    return rig.var / "backups"


def copies(rig: Rig) -> list[Path]:
    return sorted(folder(rig).glob("site-*"))


def refused(rig: Rig, *arguments: str) -> str:
    """Run a command that must fail, and return what it says."""
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
    rig.hand.close()
    assert "0 violations" in rig.manage("restore", str(kept), "--overwrite")
    rig.hand = rig.another_hand()
    assert rig.hand("owned", user=cleo["id"]) == later
    rig.web()
    rig.prove()
    assert rig.alarms() == []
    assert not list(folder(rig).glob(".*"))


def test_backup_is_put_into_an_empty_place_without_a_further_word(rig: Rig) -> None:
    (ann,) = rig.hand("people", names=["ann"])
    owned = rig.hand("owned", user=ann["id"])
    rig.hand("command", words=["backup"])
    rig.hand.close()
    (copy,) = copies(rig)
    if rig.is_on_postgresql:
        empty = "from django.db import connection as c; c.cursor().execute('DROP SCHEMA public"
        rig.manage("shell", "-c", f"{empty} CASCADE; CREATE SCHEMA public')")
    else:
        for path in rig.var.glob("site.sqlite3*"):
            path.unlink()
    assert "0 violations" in rig.manage("restore", copy.name)
    assert copies(rig) == [copy]
    rig.hand = rig.another_hand()
    assert rig.hand("owned", user=ann["id"]) == owned


def test_backup_that_is_torn_or_missing_changes_nothing(rig: Rig) -> None:
    (ann,) = rig.hand("people", names=["ann"])
    rig.hand("command", words=["backup"])
    rig.hand.close()
    (copy,) = copies(rig)
    torn = folder(rig) / f"torn{copy.suffix}"
    torn.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    for name in (torn.name, "no-such-copy"):
        assert "Nothing was changed" in refused(rig, "restore", name, "--overwrite")
    assert copy.name in refused(rig, "restore")
    rig.hand = rig.another_hand()
    assert rig.hand("owned", user=ann["id"])["POINT"] == 100


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
    draft = folder(rig) / ".draft-1-1"
    draft.touch()
    os.utime(draft, (0, 0))
    assert due(2)
    assert copies(rig)[0] == second
    assert len(copies(rig)) == 2
    assert not draft.exists(), "what a killed process has left is removed"


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
