"""All sockets of a process, counted by address and by user as they come and go."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from games.realtime.sessions import LiveSocket

#: Seconds between two liveness checks.
LIVENESS: Final = 5.0


class SocketRegistry:
    """The open sockets, indexed by address and by user."""

    def __init__(self) -> None:
        self._all: set[LiveSocket] = set()
        self._addresses: Counter[str] = Counter()
        self._of_user: defaultdict[int, set[LiveSocket]] = defaultdict(set)

    def add(self, socket: LiveSocket) -> None:
        """Add a socket."""
        self._all.add(socket)
        self._addresses[socket.address] += 1
        if socket.stamp is not None:
            self._of_user[socket.stamp.user_id].add(socket)

    def discard(self, socket: LiveSocket) -> None:
        """Remove a socket, if it is registered."""
        if socket not in self._all:
            return
        self._all.discard(socket)
        self._addresses[socket.address] -= 1
        if not self._addresses[socket.address]:
            del self._addresses[socket.address]
        if socket.stamp is not None:
            own = self._of_user[socket.stamp.user_id]
            own.discard(socket)
            if not own:
                del self._of_user[socket.stamp.user_id]

    def count_from(self, address: str) -> int:
        """Return the number of open sockets of an address."""
        return self._addresses[address]

    def of_user(self, user_id: int) -> list[LiveSocket]:
        """Return a user's sockets."""
        return list(self._of_user.get(user_id, ()))

    async def check_liveness(self) -> None:
        """End the sockets that are silent or do not read."""
        for socket in self:
            socket.check_liveness()

    def __iter__(self) -> Iterator[LiveSocket]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)
