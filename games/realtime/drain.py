"""Close the sockets of a process that ends, in portions, so that nobody's clock passes by it.
Source: docs/explanation/deadlines.md "A drain".
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Final

from games.matches.processing import repair
from games.matches.processing.submissions import Submission
from games.realtime.protocol import Close

if TYPE_CHECKING:
    from games.realtime.hub import Subscriber
    from games.realtime.runtime import Runtime
    from games.realtime.sessions import LiveSocket

log = logging.getLogger(__name__)

#: Seconds between two portions.
PAUSE: Final = 0.25
#: How often the time is given again where the batch writer was busy, and the pause before it.
TRIES, REST = 5, 0.1

#: A match and its sockets, which are closed together; None: a socket without a match.
Group = tuple[int | None, Sequence["Subscriber | LiveSocket"]]


async def close_in_portions(running: "Runtime", seconds: float) -> None:
    """Close all sockets with 4412 in at most ``seconds``; accept no more. Their clients connect
    again at once, in portions that another process can take.
    """
    running.hub.is_closing = True
    groups = _groups(running)
    size = ceil(len(groups) * PAUSE / seconds) or 1
    for first in range(0, len(groups), size):
        if not len(running.sockets):
            return
        portion = groups[first : first + size]
        await give_time(running, [pk for pk, _ in portion if pk is not None])
        for _, sockets in portion:
            for socket in sockets:
                socket.close(Close.RESTART)
        await asyncio.sleep(PAUSE)


async def give_time(running: "Runtime", match_ids: Iterable[int]) -> None:
    """Postpone the clocks of these matches that pass so soon that nobody could be back. If the
    batch writer stays busy, the process ends as an outage, which gives all the time back.
    """
    wanted = list(match_ids)
    for _ in range(TRIES):
        submissions = await running.reads.run(repair.before_leaving, wanted)
        if not submissions:
            return
        await _commit(running, submissions)
        await asyncio.sleep(REST)
    log.warning("the clocks of %d matches could not be postponed", len(submissions))
    running.owes_time = True


async def _commit(running: "Runtime", submissions: Sequence[Submission]) -> None:
    answered = asyncio.Semaphore(0)
    for submission in submissions:
        running.writer.submit(submission, lambda _: answered.release())
    for _ in submissions:
        await answered.acquire()


def _groups(running: "Runtime") -> list[Group]:
    rooms: list[Group] = [(pk, tuple(room.subscribers)) for pk, room in running.hub.rooms.items()]
    held = {id(socket) for _, sockets in rooms for socket in sockets}
    return [*rooms, *((None, [socket]) for socket in running.sockets if id(socket) not in held)]
