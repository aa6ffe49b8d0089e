"""What one socket was shown: a revision a view, and a bound on what the client has not seen yet.

Source: docs/protocol.md "The view"; docs/decisions/ "Liveness".
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from games import protocol

#: More views than this, or more bytes, unseen: only the newest is kept.
UNSEEN_VIEWS, UNSEEN_BYTES = 64, 256 * 1024
#: A client that lags like that for so many seconds is given up.
LAG_LIMIT = 15.0


class Window:
    """The views of one socket, numbered without gaps, and those that wait for the client."""

    def __init__(self) -> None:
        self.view: Mapping[str, Any] | None = None
        self._revision = 0
        self._encoded: bytes | None = None
        self._held_back: tuple[Mapping[str, Any], bytes] | None = None
        self._lagging_since: float | None = None
        self._unseen: dict[int, int] = {}

    def offer(self, view: Mapping[str, Any], encoded: bytes, now: str) -> str | None:
        """Return the frame to send; None when the view is the last one, or the client lags."""
        if encoded == self._encoded:
            self._held_back = None
            return None
        if self._is_lagging():
            self._held_back = (view, encoded)
            return None
        self.view, self._encoded, self._held_back = view, encoded, None
        self._revision += 1
        self._unseen[self._revision] = len(encoded)
        return protocol.view_frame(self._revision, now, encoded)

    def seen(self, revision: int, now: str) -> str | None:
        """Note what the client has shown; return the view that was held back, if it may go now."""
        self._unseen = {no: size for no, size in self._unseen.items() if no > revision}
        return self.offer(*self._held_back, now) if self._held_back is not None else None

    def is_lost(self) -> bool:
        """Whether the client has lagged for too long."""
        since = self._lagging_since
        return since is not None and time.monotonic() - since > LAG_LIMIT

    def _is_lagging(self) -> bool:
        lags = len(self._unseen) >= UNSEEN_VIEWS or sum(self._unseen.values()) > UNSEEN_BYTES
        if not lags:
            self._lagging_since = None
        elif self._lagging_since is None:
            self._lagging_since = time.monotonic()
        return lags
