"""Count the bytes that a socket has not read; a client that never reads must not fill the memory.

Our servers accept every message at once and buffer the bytes that the network does not take.  They
put a ``Wire`` into the scope, which reports them.  For other servers only the outbox counts.

Source: docs/explanation/security.md "Who does not read".
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from games.realtime.flow_control import LAG_LIMIT

#: Seconds from a close frame to the end of the connection, even if the client does not read it.
FAREWELL: Final = 2.0


class Wire(Protocol):
    """The connection below a socket, as its server exposes it."""

    def unsent(self) -> int:
        """Return the number of bytes that wait for the network."""

    def deafen(self) -> None:
        """Stop reading from the connection."""

    def drop(self) -> None:
        """End the connection and discard the waiting bytes."""


class Direct(Protocol):
    """The way of texts past the server's library, where a server has one."""

    def listen(self, take: Callable[[str], None] | None) -> None:
        """Give each text that arrives from now on to ``take``, except those in ASGI's messages."""

    def send(self, texts: Iterable[str]) -> None:
        """Write texts in one piece."""


class SendBuffer:
    """The bytes that one socket was sent, and the unsent part of them. ``limit``: bytes that may
    wait before a further message.
    """

    def __init__(self, scope: dict[str, Any], limit: int) -> None:
        self._wire: Wire | None = scope.get("wire")
        self._limit = limit
        self._told = 0
        self._outbox = 0
        self._mark = (time.monotonic(), 0)

    def queued(self, text: str) -> None:
        """Count a message put into the outbox."""
        self._told += len(text)
        self._outbox += len(text)

    def handed_over(self, texts: Iterable[str]) -> None:
        """Count messages that the server has accepted."""
        self._outbox -= sum(map(len, texts))

    def waiting(self) -> int:
        """Return the number of bytes that wait, here and in the server."""
        return self._outbox + (self._wire.unsent() if self._wire else 0)

    def is_full(self) -> bool:
        """Whether more than ``limit`` bytes wait; one message of any size always fits."""
        return self.waiting() > self._limit

    def is_stuck(self) -> bool:
        """Whether bytes have been waiting for 15 s; to be called every few seconds."""
        now, waiting = time.monotonic(), self.waiting()
        since, told = self._mark
        if waiting == 0 or self._told - waiting >= told:
            self._mark = (now, self._told)
            return False
        return now - since > LAG_LIMIT

    def deafen(self) -> None:
        """Stop reading from a client until the connection ends."""
        if self._wire is not None:
            self._wire.deafen()

    def drop_soon(self) -> None:
        """Drop the connection after ``FAREWELL`` s, even with unsent bytes; a no-op if ended."""
        if self._wire is not None:
            asyncio.get_running_loop().call_later(FAREWELL, self._wire.drop)
