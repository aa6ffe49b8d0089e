"""Measure a throw of the ladder between programs that do not think, how long the loop is held, and
tables beside twenty matches of programs that answer after ``THINKS`` seconds.
"""

import asyncio
import time

from bench.form import Form
from bench.scenarios.behind import Pulse
from bench.scenarios.closed import Load, seat
from bench.scenarios.crowd import stretch
from bench.scenarios.paced import A_SECOND, keep_pace
from bench.stand import Stand
from bench.stats import percentile
from bench.tally import Tally
from bench.wire import Line, connect

MATCHES = 20
ROWS = 100
THINKS = 0.03
#: Seconds until the programs are paired.
PAIRED = 3.0
READY = b'{"jsonrpc":"2.0","method":"ladder.ready","id":0}'
ASKED = b'{"jsonrpc":"2.0","method":"ladder.throw"'


class Program:
    """A program that always throws paper, ``thinks`` seconds after it is asked."""

    def __init__(self) -> None:
        self.throws, self.thinks = 0, 0.0
        self.line: Line

    async def open(self, address: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self.line = await connect(address, "/rpc/ladder", self.take, headers)
        self.line.send(READY)

    def take(self, payload: bytes) -> None:
        """Answer a throw."""
        if not payload.startswith(ASKED):
            return
        self.throws += 1
        answer = b'{"jsonrpc":"2.0","result":"p","id":' + payload.rpartition(b":")[2]
        if self.thinks:
            asyncio.get_running_loop().call_later(self.thinks, self.line.send, answer)
        else:
            self.line.send(answer)


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Measure tables alone, throws, then both."""
    tally = Tally()
    prepared = await seat(stand, load, tally, rows=ROWS)
    programs = [Program() for _ in range(2 * MATCHES)]
    first = [sitter for row in prepared.rows for sitter in row[0].sitters]
    # One for each time that pings: the site closes who pings for long.
    guests = [await connect(stand.address(0), "/ws/lobby/", lambda _: None) for _ in range(2)]
    pulse = Pulse(guests[0])
    beating = asyncio.create_task(pulse.beat())
    try:
        pacing = asyncio.create_task(keep_pace(first, A_SECOND))
        await stretch(stand, tally, form.warm, form.seconds * 3)
        alone = tally.latencies
        pacing.cancel()
        beating.cancel()
        calm = pulse.taken
        for program, token in zip(programs, stand.hand("programs", count=2 * MATCHES), strict=True):
            await program.open(stand.address(0), token)
        await asyncio.sleep(PAIRED)
        figures = await _throws(stand, programs, form)
        for program in programs:
            program.thinks = THINKS
        pacing = asyncio.create_task(keep_pace(first, A_SECOND))
        pulse = Pulse(guests[1])
        beating = asyncio.create_task(pulse.beat())
        beside = await stretch(stand, tally, form.warm, form.seconds * 3)
        beating.cancel()
        pacing.cancel()
    finally:
        for line in (*guests, *(program.line for program in programs if hasattr(program, "line"))):
            line.abort()
        prepared.close()
    p99_alone = percentile(alone, 0.99) * 1000
    return figures | {
        "table_p99_alone_ms": p99_alone,
        "table_p99_ms": beside["p99_ms"],
        "table_p99_ratio": beside["p99_ms"] / p99_alone,
        "loop_p99_calm_ms": percentile(calm, 0.99) * 1000,
        "loop_p99_ms": percentile(pulse.taken, 0.99) * 1000,
        "loop_max_ms": max(pulse.taken) * 1000,
    }


async def _throws(stand: Stand, programs: list[Program], form: Form) -> dict[str, float]:
    """Return the figures of throws without thinking."""
    before, used, begun = _count(programs), stand.cpu()["server"], time.perf_counter()
    await asyncio.sleep(form.seconds * 2)
    count = _count(programs) - before
    server, seconds = stand.cpu()["server"] - used, time.perf_counter() - begun
    return {
        "throws_a_second": count / seconds,
        "us_a_throw": server / count * 1_000_000,
    }


def _count(programs: list[Program]) -> float:
    """Return the throws: each asks two programs."""
    return sum(program.throws for program in programs) / 2
