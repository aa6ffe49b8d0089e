"""All sockets of a process: counted as they come and go, closed in portions when it ends."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, Final, Protocol

from games.matches.processing import repair
from games.matches.processing.submissions import Submission
from games.realtime.executors import remove_watcher
from games.realtime.protocol import Close
from games.realtime.sessions import Stamp

if TYPE_CHECKING:
    from games.realtime.hub import Subscriber
    from games.realtime.runtime import Runtime

log = logging.getLogger(__name__)

#: Seconds between two portions.
PAUSE: Final = 0.25
#: How often the time is given again where the batch writer was busy, and the pause before it.
TRIES, REST = 5, 0.1

#: Seconds between two liveness checks.
LIVENESS: Final = 5.0


class LiveSocket(Protocol):
    """A socket of this process; ``opened`` and ``acted`` are its loop's time. Sockets of one
    ``allowance`` count together towards a user's limit of open sockets.
    """

    stamp: Stamp | None
    opened: float
    acted: float
    allowance: str

    @property
    def address(self) -> str:
        """The network address of the other end."""

    @property
    def is_closing(self) -> bool: ...

    def keeps(self) -> int:
        """Return what its user would lose by its end."""

    def close(self, code: int) -> None: ...

    def check_liveness(self) -> None: ...


class SocketRegistry:
    """The open sockets, indexed by address and by user."""

    def __init__(self) -> None:
        self._all: set[LiveSocket] = set()
        self._addresses: Counter[str] = Counter()
        self._of_user: dict[int, set[LiveSocket]] = {}

    def add(self, socket: LiveSocket) -> None:
        self._all.add(socket)
        self._addresses[socket.address] += 1
        if socket.stamp is not None:
            self._of_user.setdefault(socket.stamp.user_id, set()).add(socket)

    def discard(self, socket: LiveSocket) -> None:
        if socket not in self._all:
            return
        self._all.discard(socket)
        self._addresses[socket.address] -= 1
        if not self._addresses[socket.address]:
            del self._addresses[socket.address]
        if socket.stamp is not None:
            remove_watcher(self._of_user, socket.stamp.user_id, socket)

    def count_from(self, address: str) -> int:
        """Return the number of open sockets of an address."""
        return self._addresses[address]

    def of_user(self, user_id: int) -> list[LiveSocket]:
        return list(self._of_user.get(user_id, ()))

    async def check_liveness(self) -> None:
        """End the sockets that are silent or do not read."""
        for socket in self:
            socket.check_liveness()

    def __iter__(self) -> Iterator[LiveSocket]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)


#: A match and its sockets, which are closed together; None: a socket without a match.
Group = tuple[int | None, Sequence["Subscriber | LiveSocket"]]


async def close_in_portions(running: "Runtime", seconds: float) -> None:
    """Close all sockets with 4412 in at most ``seconds``, in portions that another process can
    take: their clients connect again at once.
    """
    running.hub.is_closing = True
    until = time.monotonic() + seconds
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
    # A socket may wait for the end of what it plays.
    for _ in range(int((until - time.monotonic()) / PAUSE)):
        if all(socket.is_closing for socket in running.sockets):
            break
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
