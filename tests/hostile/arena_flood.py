"""The arena and tables, alone and beside a flood of wishes: a table of ``./run hostile``."""

import asyncio
import itertools
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final

from websockets.exceptions import ConnectionClosed

from tests.boot import ROOT
from tests.faults.client import Client
from tests.faults.rig import Rig
from tests.faults.test_arena import MOVES, Fighter
from tests.hostile.attacks import ARENA_SOCKETS, OPENED


async def play_honestly(client: Client, done: asyncio.Event) -> tuple[list[float], list[int]]:
    """Sit down, stand up and chat; return the seconds of each answer, and the close code."""
    # A closed client reconnects, as a page does.
    taken: list[float] = []
    closed: list[int] = []
    sitting = ({"kind": "sit", "seat": 0, "purse": 5}, {"kind": "stand"})
    deeds = itertools.cycle([partial(client.act, **each) for each in sitting * 8] + [client.say])
    while not done.is_set():
        begun = time.monotonic()
        try:
            answer = await next(deeds)()
        except (AssertionError, ConnectionClosed):
            if client.code is None:
                raise
            closed.append(client.code)
            await client.come_back()
            continue
        if answer["type"] == "ack":
            taken.append(time.monotonic() - begun)
        await asyncio.sleep(0.08)
    return taken, closed


def share_of(waits: list[float], share: float) -> float:
    return 1000 * sorted(waits)[int((len(waits) - 1) * share)]


LIMITS: Final = {"SOCKETS_PER_ADDRESS": "500"}
#: Accounts that flood, honest players of the arena, and honest clients at tables.
FLOODERS, FIGHTERS, SITTERS = 40, 8, 4
#: Seconds between two choices of a player, who chooses no more when less than ``TOO_LATE`` is left.
PAUSE, TOO_LATE = 0.5, 1.0
#: The limits: seconds by which a round may be resolved late, and p99 at tables with : without.
LATEST, RATIO = 1.0, 2.0
#: What the attackers heard, and how often.
Heard = dict[str, int]


@dataclass(slots=True)
class Figures:
    """Results of honest clients: waits in seconds, refusals by code, how late rounds were."""

    # ``processor``: processor seconds of the web process in a second.

    chosen: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    sat: list[float] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    processor: float = 0.0
    heard: Heard = field(default_factory=dict)

    def row(self, title: str) -> str:
        refused = ", ".join(f"{code} {count}" for code, count in self.refused.items()) or "0"
        chosen = f"{len(self.chosen)} | {refused} | {share_of(self.chosen, 0.99):.0f}"
        rounds = f"{len(self.late)} | {max(self.late, default=0):.2f}"
        sat = f"{share_of(self.sat, 0.5):.0f} | {share_of(self.sat, 0.99):.0f}"
        heard = [f"{what} {count:,}" for what, count in sorted(self.heard.items())]
        told = ", ".join([*heard, *(f"THE HONEST CLOSED {code}" for code in self.closed)]) or "-"
        return f"| {title} | {self.processor:.0%} | {chosen} | {rounds} | {sat} | {told} |"


async def measure(rig: Rig, seconds: float) -> bool:
    """Print the table; whether no choice was refused, no round late, and tables not slowed."""
    web = rig.web()
    fighters = [Fighter(web, who) for who in _people(rig, "fighter", FIGHTERS)]
    openers, sitters = _people(rig, "opener", SITTERS), _people(rig, "sitter", SITTERS)
    tables = [rig.hand("open_table", opener=who["id"])["public_id"] for who in openers]
    clients = [
        Client(web, table, who["cookie"]) for table, who in zip(tables, sitters, strict=True)
    ]
    await asyncio.gather(*(each.open() for each in (*fighters, *clients)))
    for fighter in fighters:
        assert (await _act(fighter, kind="join"))["type"] == "ack"
    cookies = ",".join(who["cookie"] for who in _people(rig, "flooder", FLOODERS))
    head = ("beside", "processor", "choices", "refused", "p99 ms", "rounds", "most s late",
            "at tables: median ms", "p99 ms", "got")  # fmt: skip
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    await _beside(rig, fighters, clients, _nothing(min(seconds, 10)))
    alone = await _beside(rig, fighters, clients, _nothing(seconds))
    print(alone.row("nothing: calm"), flush=True)
    words = ["-m", "tests.hostile.attacks", "wishes", str(web.port), str(seconds), cookies]
    flooding = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=ROOT, env=rig.environment, stdout=subprocess.PIPE
    )
    assert flooding.stdout is not None
    assert (await flooding.stdout.readline()).decode().strip() == OPENED
    flooded = await _beside(rig, fighters, clients, _said(flooding))
    print(flooded.row(f"{FLOODERS} accounts, {ARENA_SOCKETS} sockets each, wish (73)"), flush=True)
    ratio = share_of(flooded.sat, 0.99) / share_of(alone.sat, 0.99)
    print(f"\np99 at tables beside the flood : alone: {ratio:.2f}", flush=True)
    for each in (*fighters, *clients):
        await each.leave()
    is_on_time = max(flooded.late, default=seconds) <= LATEST
    return is_on_time and ratio <= RATIO and not flooded.refused and not flooded.closed


def _people(rig: Rig, name: str, count: int) -> list[dict[str, Any]]:
    return list(rig.hand("people", names=[f"{name}{n}" for n in range(count)]))


async def _nothing(seconds: float) -> Heard:
    await asyncio.sleep(seconds)
    return {}


async def _said(flooding: asyncio.subprocess.Process) -> Heard:
    return dict(json.loads((await flooding.communicate())[0]))


async def _beside(
    rig: Rig, fighters: list[Fighter], clients: list[Client], work: Coroutine[Any, Any, Heard]
) -> Figures:
    figures, done, begun = Figures(), asyncio.Event(), time.time()
    web, used = rig.processes[0], rig.processes[0].processor_seconds()
    choosing = [asyncio.create_task(_choose(each, done, figures)) for each in fighters]
    sitting = [asyncio.create_task(play_honestly(each, done)) for each in clients]
    figures.heard = await work
    figures.processor = (web.processor_seconds() - used) / (time.time() - begun)
    done.set()
    for waits, closed in await asyncio.gather(*sitting):
        figures.sat += waits
        figures.closed += closed
    await asyncio.gather(*choosing)
    now = time.time()
    for row in rig.hand("arena_rounds"):
        if begun < row["ends_at"] < now:
            figures.late.append((row["resolved_at"] or now) - row["ends_at"])
    return figures


async def _act(fighter: Fighter, **action: str) -> dict[str, Any]:
    frame_id = await fighter.send(fighter.prepare(**action))
    return await fighter.answer(frame_id)


async def _choose(fighter: Fighter, done: asyncio.Event, figures: Figures) -> None:
    """Choose again and again, and note each answer; an answer ``busy`` is a refusal."""
    while not done.is_set():
        await asyncio.sleep(PAUSE * random.uniform(0.5, 1.5))
        ends_at = fighter.view["arena"]["ends_at"]
        if ends_at is None or datetime.fromisoformat(ends_at).timestamp() - time.time() < TOO_LATE:
            continue
        begun, busy = time.monotonic(), fighter.busy
        answer = await _act(fighter, kind="choose", move=random.choice(MOVES))
        figures.chosen.append(time.monotonic() - begun)
        if fighter.busy > busy:
            figures.refused["busy"] += 1
        elif answer["type"] == "error":
            figures.refused[answer["code"]] += 1
