import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from rpsite.processes import runner, signs
from rpsite.processes.runner import Child, Program


async def until_said(program: Program, count: int) -> list[tuple[float, str]]:
    """Run a program until this many lines are said of it; return when and what."""
    said: list[tuple[float, str]] = []
    is_enough = asyncio.Event()

    def note(_: str, text: str) -> None:
        said.append((time.monotonic(), text))
        if len(said) >= count:
            is_enough.set()

    kept = Child(program, note)
    kept.start()
    await is_enough.wait()
    await kept.stop()
    return said


async def pauses_of(program: Program) -> list[float]:
    """Run a program that always ends at once, and return the pauses; it takes no time itself."""
    command = [sys.executable, "-S", "-c", "raise SystemExit(1)"]
    said = await until_said(replace(program, command=command, hang_limit=0.0), 10)
    return [later - sooner for (sooner, _), (later, _) in pairwise(said)]


async def test_web_is_started_again_within_two_seconds_and_all_else_ever_more_seldom(jumping):
    pauses = await pauses_of(runner.web({}, 0))
    assert pauses[0] == pytest.approx(runner.FIRST_PAUSE)
    assert pauses[:4] == sorted(pauses[:4])
    assert max(pauses) == pytest.approx(runner.WEB_PAUSE)
    assert runner.WEB_PAUSE <= 2
    pauses = await pauses_of(runner.worker({}))
    assert pauses == sorted(pauses)
    assert max(pauses) == pytest.approx(runner.LONGEST_PAUSE)


#: Gives one sign, then hangs; it hears no signal but one.
HANGS = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.write(int(os.environ["SITE_SIGNS"]), b".")
signal.pause()
"""


async def test_program_that_hangs_without_ending_is_killed_and_started_again(monkeypatch):
    monkeypatch.setattr(signs, "LOOK", 0.05)
    command = [sys.executable, "-S", "-c", HANGS]
    said = await until_said(Program("hangs", command, os.environ, 1, hang_limit=0.2), 3)
    hangs, ended = "gives no sign of life; ending it", "was ended by SIGKILL; starting it again"
    assert [text for _, text in said[:3]] == [hangs, ended, hangs]


@pytest.mark.plain
def test_sign_of_life_is_due_within_the_limit_after_a_longer_start():
    """A watcher that has slept itself waits again."""
    found = signs.Signs(60, 1000)
    assert not any(found.is_overdue(now) for now in range(1001, 1000 + 180))
    assert found.is_overdue(1181)
    found.note(1181)
    assert next(now for now in range(1182, 1300) if found.is_overdue(now)) == 1242
    found = signs.Signs(60, 0)
    found.note(1)
    assert not found.is_overdue(2)
    assert not found.is_overdue(4000)
    assert not any(found.is_overdue(now) for now in range(4001, 4060))
    assert found.is_overdue(4061)


@pytest.mark.parametrize("is_abstract", [False, True])
def test_signs_go_to_systemd_where_it_watches(tmp_path, monkeypatch, is_abstract):
    path = f"@rps-test-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    monkeypatch.delenv("SITE_SIGNS", raising=False)
    monkeypatch.setenv("NOTIFY_SOCKET", path)
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as systemd:
        systemd.bind(path.replace("@", "\0"))
        systemd.settimeout(10)
        signs.sign()
        assert systemd.recv(100) == b"WATCHDOG=1"
    signs.sign()


def test_web_worker_and_beat_are_watched_unless_the_operator_says_never(monkeypatch):
    web, other = runner.web({}, 0), runner.web_at({}, 1, 1)
    watched = [web, other, runner.worker({}), runner.beat({})]
    assert {each.hang_limit for each in watched} == {60}
    for seconds, limit in (("0", 0), ("3", runner.LEAST_HANG), ("90", 90)):
        monkeypatch.setenv("WATCHDOG_SECONDS", seconds)
        assert runner.beat({}).hang_limit == limit


async def test_child_has_another_token_at_each_start():
    kept = Child(Program("sleeps", ["sleep", "1000"], os.environ, 1), print)
    kept.start()
    tokens = set[str]()
    async with asyncio.timeout(60):
        for number in (1, 2):
            while len(tokens) < number:
                await asyncio.sleep(0.01)
                tokens |= {kept.start_token} - {None}
            kept.signal(signal.SIGKILL)
    await kept.stop()
    assert kept.start_token is None
    assert len(tokens) == 2
