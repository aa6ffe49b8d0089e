"""The closed loop as pages make it: every player's page also hears of its user's own affairs.

A hundred guests look at the lobby meanwhile.  What an action costs more than in ``duel`` is what
these pages cost.
"""

import asyncio
import time
from dataclasses import dataclass

from bench.form import Form
from bench.scenarios.closed import Load, seat
from bench.stand import Stand
from bench.tally import Tally
from bench.wire import Line, connect, connect_all

ME, LOBBY = "/ws/me/", "/ws/lobby/"
GUESTS = 100
#: Until the first lists and balances have come.
SETTLE = 1.0


@dataclass(slots=True)
class Told:
    """Counts what was told, and looks at none of it."""

    frames: int = 0

    def take(self, payload: bytes) -> None:
        """Count a frame."""
        self.frames += 1


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Let everybody act as fast as answers come, with all pages open; return the figures."""
    tally = Tally()
    prepared = await seat(stand, load, tally)
    affairs, lists = Told(), Told()
    lines = await _open(stand, load, affairs, lists)
    await asyncio.sleep(SETTLE)
    prepared.start()
    begun, before = time.perf_counter(), (affairs.frames, lists.frames)
    try:
        figures = await tally.measure(stand, form.warm, form.seconds)
        taken = time.perf_counter() - begun
        after = (affairs.frames, lists.frames)
    finally:
        prepared.close()
        for line in lines:
            line.abort()
    return figures | {
        "exhausted": float(prepared.exhausted),
        "affairs_rate": (after[0] - before[0]) / taken,
        "lists_rate": (after[1] - before[1]) / taken,
    }


async def _open(stand: Stand, load: Load, affairs: Told, lists: Told) -> list[Line]:
    """Open a socket for everybody's affairs, and those of the guests."""
    players = [
        lambda n=n, p=p: connect(stand.address(n), ME, affairs.take, {"Cookie": p["cookie"]})
        for n, p in enumerate(stand.people[: load.people])
    ]
    guests = [lambda n=n: connect(stand.address(n), LOBBY, lists.take) for n in range(GUESTS)]
    return await connect_all(players + guests)
