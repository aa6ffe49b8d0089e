"""Measure the loop of a process that was stopped while another one stored ten thousand entries.

One process plays; another one, with a spectator of each table, is stopped by a signal.  When it
continues, it is thousands of entries behind at a hundred cached matches.
"""

import asyncio
import signal
import time

import msgspec

from bench.form import Form
from bench.scenarios.broadcast import Guest
from bench.scenarios.closed import Load, seat
from bench.scenarios.load import PreparedTables
from bench.sitter import SEEN_EVERY, Sitter
from bench.stand import Stand
from bench.stats import percentile
from bench.tally import Tally
from bench.wire import PING, Line, connect_all

ROWS = 200
#: Seconds between two pings, and seconds of measuring the idle loop.
PAUSE, CALM = 0.005, 2.0
#: Time limit of each wait, in seconds.
LIMIT = 60.0


class Seen(msgspec.Struct):
    """The phase of a view."""

    phase: int


class Frame(msgspec.Struct):
    """The decoded part of a frame."""

    type: str
    revision: int = 0
    view: Seen | None = None


_read = msgspec.json.Decoder(Frame).decode


class Spectator(Guest):
    """A spectator of a player's table, connected to the other process."""

    def __init__(self, player: Sitter) -> None:
        self.player = player
        self._phase = -1

    @property
    def is_present(self) -> bool:
        """Whether the spectator's view is as new as the player's."""
        return self.player.view is not None and self._phase == self.player.view.phase

    def take(self, payload: bytes) -> None:
        """Process a view and confirm it."""
        frame = _read(payload)
        if frame.view is not None:
            self._phase = frame.view.phase
            if frame.revision % SEEN_EVERY == 0:
                self.line.send(b'{"type":"seen","revision":%d}' % frame.revision)


class Pulse:
    """Measures the time of a process's loop to answer pings."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._answered = asyncio.Event()
        line.ponged = self._answered.set
        self.taken: list[float] = []

    async def beat(self) -> None:
        """Send pings one after the other until cancelled."""
        while True:
            self._answered.clear()
            begun = time.perf_counter()
            self._line.send(b"", PING)
            await self._answered.wait()
            self.taken.append(time.perf_counter() - begun)
            await asyncio.sleep(PAUSE)


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Stop one process while the other stores entries; then measure the first one's loop."""
    tally = Tally()
    prepared = await seat(stand, load, tally, rows=ROWS)
    players = [row[0].sitters[0] for row in prepared.rows]
    stand.start_web()
    other = stand.webs[-1]
    spectators = [Spectator(player) for player in players]
    await connect_all(
        [
            lambda one=one, path=path: one.open(other.address, path)
            for one, path in zip(spectators, prepared.paths, strict=False)
        ]
    )
    pulse = Pulse(spectators[0].line)
    try:
        await _until_present(spectators)
        await _beat(pulse, CALM)
        calm, pulse.taken = pulse.taken, []
        other.process.send_signal(signal.SIGSTOP)
        await _play(prepared, tally, form.entries)
        begun = time.perf_counter()
        other.process.send_signal(signal.SIGCONT)
        beating = asyncio.create_task(pulse.beat())
        await _until_present(spectators)
        taken = time.perf_counter() - begun
        beating.cancel()
    finally:
        other.process.send_signal(signal.SIGCONT)
        for one in spectators:
            one.line.abort()
        prepared.close()
    return {
        "entries": float(tally.everything),
        "caught_up_s": taken,
        "loop_p99_calm_ms": percentile(calm, 0.99) * 1000,
        "loop_p99_ms": percentile(pulse.taken, 0.99) * 1000,
        "loop_max_ms": max(pulse.taken) * 1000,
    }


async def _beat(pulse: Pulse, seconds: float) -> None:
    beating = asyncio.create_task(pulse.beat())
    await asyncio.sleep(seconds)
    beating.cancel()


async def _play(prepared: PreparedTables, tally: Tally, entries: int) -> None:
    """Run all sitters until this many actions are acknowledged and the last views have arrived."""
    prepared.start()
    async with asyncio.timeout(LIMIT):
        while tally.everything < entries:  # noqa: ASYNC110
            await asyncio.sleep(PAUSE)
    for sitter in prepared.sitters:
        sitter.is_active = False
    await asyncio.sleep(1.0)


async def _until_present(spectators: list[Spectator]) -> None:
    async with asyncio.timeout(LIMIT):
        while not all(one.is_present for one in spectators):  # noqa: ASYNC110
            await asyncio.sleep(PAUSE)
