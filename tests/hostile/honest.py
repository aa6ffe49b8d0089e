"""An honest client, beside whom attacks are measured."""

import asyncio
import itertools
import time
from functools import partial

from websockets.exceptions import ConnectionClosed

from tests.faults.client import Client


async def play_honestly(client: Client, done: asyncio.Event) -> tuple[list[float], list[int]]:
    """Sit down, stand up and chat; return the seconds of each answer, and the close code.

    A closed client reconnects, as a page does.
    """
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
