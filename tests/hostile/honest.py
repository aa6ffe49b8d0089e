"""An honest client, beside whom attacks are measured."""

import asyncio
import itertools
import time

from websockets.exceptions import ConnectionClosed

from tests.faults.client import Client


async def play_honestly(client: Client, done: asyncio.Event) -> tuple[list[float], list[int]]:
    """Sit down and stand up; return the seconds of each answer, and the close code.

    A closed client reconnects, as a page does.
    """
    taken: list[float] = []
    closed: list[int] = []
    actions = itertools.cycle(({"kind": "sit", "seat": 0, "purse": 5}, {"kind": "stand"}))
    while not done.is_set():
        begun = time.monotonic()
        try:
            answer = await client.act(**next(actions))
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
    """Return the milliseconds within which this share of the waits ended."""
    return 1000 * sorted(waits)[int((len(waits) - 1) * share)]
