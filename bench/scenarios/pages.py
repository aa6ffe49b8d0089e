"""The closed loop with the other sockets of pages: every player also has a user feed.

A hundred guests watch the lobby.  The difference to ``duel`` in the cost of an action is the cost
of these pages.
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
#: Seconds until the first lists and balances have arrived.
SETTLE = 1.0


@dataclass(slots=True)
class Told:
    """Counts frames without decoding them."""

    frames: int = 0

    def take(self, payload: bytes) -> None:
        """Count a frame."""
        self.frames += 1


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Make all players act as fast as answers arrive, with all pages open; return the figures."""
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
    """Open the user feeds of all players, and the sockets of the guests."""
    players = [
        lambda n=n, p=p: connect(stand.address(n), ME, affairs.take, {"Cookie": p["cookie"]})
        for n, p in enumerate(stand.people[: load.people])
    ]
    guests = [lambda n=n: connect(stand.address(n), LOBBY, lists.take) for n in range(GUESTS)]
    return await connect_all(players + guests)
