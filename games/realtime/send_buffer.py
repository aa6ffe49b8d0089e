"""How much a socket was told and has not read; whoever never reads must not fill the memory.

A server that takes every message at once (Daphne) keeps what the network does not take, so the
server is asked: it puts a ``Wire`` into the scope.  Others are known by the outbox alone.

Source: docs/security.md "Who does not read".
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final, Protocol

from games.realtime.flow_control import LAG_LIMIT

#: Seconds between a close frame and the end of the connection, read or not.
FAREWELL: Final = 2.0


class Wire(Protocol):
    """The connection below a socket, as its server knows it."""

    def unsent(self) -> int:
        """Return how many bytes wait for the network to take them."""

    def deafen(self) -> None:
        """Read nothing more of what comes."""

    def drop(self) -> None:
        """End the connection and forget what waits."""


class SendBuffer:
    """What one socket was told and what of it is still here.

    Args:
        limit: so many bytes may wait before a further message.
    """

    def __init__(self, scope: dict[str, Any], limit: int) -> None:
        self._wire: Wire | None = scope.get("wire")
        self._limit = limit
        self._told = 0
        self._outbox = 0
        self._mark = (time.monotonic(), 0)

    def queued(self, text: str) -> None:
        """A message went into the outbox."""
        self._told += len(text)
        self._outbox += len(text)

    def handed_over(self, text: str) -> None:
        """The server has taken a message."""
        self._outbox -= len(text)

    def waiting(self) -> int:
        """Return how many bytes wait, here and in the server."""
        return self._outbox + (self._wire.unsent() if self._wire else 0)

    def is_full(self) -> bool:
        """Whether so much waits that nothing may be added; one message of any size fits always."""
        return self.waiting() > self._limit

    def is_stuck(self) -> bool:
        """Whether something has been waiting for 15 s; to be asked every few seconds."""
        now, waiting = time.monotonic(), self.waiting()
        since, told = self._mark
        if waiting == 0 or self._told - waiting >= told:
            self._mark = (now, self._told)
            return False
        return now - since > LAG_LIMIT

    def deafen(self) -> None:
        """Leave what comes in the network: who floods is not read until the connection ends."""
        if self._wire is not None:
            self._wire.deafen()

    def drop_soon(self) -> None:
        """End the connection in a moment, whatever still waits; nothing to one that has ended."""
        if self._wire is not None:
            asyncio.get_running_loop().call_later(FAREWELL, self._wire.drop)
