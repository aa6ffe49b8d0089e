"""The pauses of the runner before it restarts a program that ends repeatedly."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from rpsite.processes import child, programs
from rpsite.processes.child import Child, Program

CRASHES = 9


async def pauses_of(program: Program, clock: Callable[[], float]) -> list[float]:
    """Run a program that always ends at once, and return the pauses; it takes no time itself."""
    ends: list[float] = []
    is_enough = asyncio.Event()

    def note(name: str, text: str) -> None:
        ends.append(clock())
        if len(ends) > CRASHES:
            is_enough.set()

    failing = replace(program, command=[sys.executable, "-S", "-c", "raise SystemExit(1)"])
    kept = Child(failing, note)
    kept.start()
    await is_enough.wait()
    await kept.stop()
    return [later - sooner for sooner, later in pairwise(ends)]


async def test_the_web_process_is_started_again_within_two_seconds(jumping):
    pauses = await pauses_of(programs.web({}, 0), jumping)
    assert pauses[0] == pytest.approx(child.FIRST_PAUSE)
    assert pauses[:4] == sorted(pauses[:4])
    assert max(pauses) == pytest.approx(programs.WEB_PAUSE)
    assert programs.WEB_PAUSE <= 2


async def test_whatever_else_ends_again_and_again_is_started_ever_more_seldom(jumping):
    pauses = await pauses_of(programs.worker({}), jumping)
    assert pauses == sorted(pauses)
    assert max(pauses) == pytest.approx(child.LONGEST_PAUSE)
