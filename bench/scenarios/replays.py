"""Measure the replay of a duel of 2,000 entries: its page, and pages of 50 views anywhere in it.

The first request of a process replays the whole journal; later ones begin at a kept frame.
"""

import asyncio
import json
import time
import urllib.request
from statistics import median
from typing import Any, NamedTuple

from bench.form import Form
from bench.stand import Stand

#: Bytes of a kibibyte.
KIB = 1024


class Answer(NamedTuple):
    """The body of an answer, and the milliseconds until it was read."""

    body: bytes
    milliseconds: float


def _ask(address: str) -> Answer:
    begun = time.perf_counter()
    with urllib.request.urlopen(address) as answer:
        body = answer.read()
    return Answer(body, (time.perf_counter() - begun) * 1000)


async def run(stand: Stand, form: Form) -> dict[str, float]:
    """Open a replay in a fresh process, then ask for its last page and for all pages."""
    users = [person["id"] for person in stand.people[:2]]
    duel: dict[str, Any] = stand.hand("long_duel", users=users)
    stand.start_web()
    site = f"http://{stand.address(0)}"
    pages = f"{site}/matches/{duel['public_id']}/replay.json"
    # The connection to the database and the imports are no part of a replay.
    await asyncio.to_thread(_ask, f"{site}/rules/")
    opened = await asyncio.to_thread(_ask, f"{site}/duels/{duel['public_id']}/replay/")
    last = await asyncio.to_thread(_ask, f"{pages}?from={duel['entries'] - 40}")
    asked, first = [], 0
    while first is not None:
        page = await asyncio.to_thread(_ask, f"{pages}?from={first}&as=0")
        asked.append(page)
        first = json.loads(page.body)["next"]
    return {
        "entries": float(duel["entries"]),
        "open_ms": opened.milliseconds,
        "last_page_ms": last.milliseconds,
        "page_ms": median(page.milliseconds for page in asked),
        "page_most_ms": max(page.milliseconds for page in asked),
        "page_kib": max(len(page.body) for page in asked) / KIB,
    }
