"""Flow control of one socket: a revision for each view, and a bound on views not yet seen.
Source: docs/reference/protocol.md "The view"; docs/explanation/decisions/ "Liveness".
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.realtime import protocol
from games.realtime.measures import measures

#: With this many views, or more bytes, unseen, only the newest view is kept.
UNSEEN_VIEWS, UNSEEN_BYTES = 64, 256 * 1024
#: Seconds of lag after which a client is disconnected.
LAG_LIMIT = 15.0


class FlowControl:
    """The views of one socket, numbered without gaps, and the one held back for a slow client.
    ``write`` puts an encoded view into its frame, given its revision and the time.
    """

    __slots__ = (
        "_encoded", "_held_back", "_lagging_since", "_revision", "_unseen", "_unseen_bytes",
        "_write",
    )  # fmt: skip

    def __init__(self, write: Callable[[int, str, bytes], str] = protocol.view_frame) -> None:
        self._write = write
        self._revision = 0
        self._encoded: bytes | None = None
        self._held_back: bytes | None = None
        self._lagging_since: float | None = None
        self._unseen: deque[tuple[int, int]] = deque()
        self._unseen_bytes = 0

    @property
    def view(self) -> Mapping[str, Any] | None:
        """The view sent last; None before the first one."""
        if self._encoded is None:
            return None
        view: Mapping[str, Any] = msgspec.json.decode(self._encoded)
        return view

    def offer(self, encoded: bytes, now: str) -> str | None:
        """Return the frame to send; None when the view is the last one, or the client lags."""
        if encoded == self._encoded:
            # Sockets that opened at different times then share one bytes object.
            self._encoded, self._held_back = encoded, None
            return None
        if self._is_lagging():
            measures.views_dropped += self._held_back is not None
            self._held_back = encoded
            return None
        self._encoded, self._held_back = encoded, None
        self._revision += 1
        self._unseen.append((self._revision, len(encoded)))
        self._unseen_bytes += len(encoded)
        return self._write(self._revision, now, encoded)

    def seen(self, revision: int, now: str) -> str | None:
        """Note the revision that the client has shown; return the held-back view if it may go."""
        while self._unseen and self._unseen[0][0] <= revision:
            self._unseen_bytes -= self._unseen.popleft()[1]
        # Update the lag here too: there may be nothing to offer for a long time.
        self._is_lagging()
        return self.offer(self._held_back, now) if self._held_back is not None else None

    def is_lost(self) -> bool:
        """Whether the client has lagged for too long."""
        since = self._lagging_since
        return since is not None and time.monotonic() - since > LAG_LIMIT

    def _is_lagging(self) -> bool:
        lags = len(self._unseen) >= UNSEEN_VIEWS or self._unseen_bytes > UNSEEN_BYTES
        if not lags:
            self._lagging_since = None
        elif self._lagging_since is None:
            self._lagging_since = time.monotonic()
        return lags
