"""The pauses of the runner before it restarts a program that ends repeatedly."""

import asyncio
import sys
from dataclasses import replace

import pytest

from rpsite.processes import child, programs
from rpsite.processes.child import Child, Program

CRASHES = 12


async def pauses_of(program: Program, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Run a program that always ends at once, and return the requested pauses."""
    pauses: list[float] = []
    is_enough = asyncio.Event()
    at_once = asyncio.sleep

    async def note(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == CRASHES:
            is_enough.set()
            await asyncio.Event().wait()
        await at_once(0)

    failing = replace(program, command=[sys.executable, "-S", "-c", "raise SystemExit(1)"])
    monkeypatch.setattr(child.asyncio, "sleep", note)
    kept = Child(failing, lambda name, text: None)
    kept.start()
    await is_enough.wait()
    monkeypatch.undo()
    await kept.stop()
    return pauses


async def test_the_web_process_is_started_again_within_two_seconds(monkeypatch):
    pauses = await pauses_of(programs.web({}, 0), monkeypatch)
    assert pauses[0] == child.FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert max(pauses) == programs.WEB_PAUSE <= 2


async def test_whatever_else_ends_again_and_again_is_started_ever_more_seldom(monkeypatch):
    pauses = await pauses_of(programs.worker({}), monkeypatch)
    assert max(pauses) == child.LONGEST_PAUSE
