"""A match as bytes for each audience: what all of them see is built and encoded once.

A view is a JSON object in three parts, joined as bytes: what is common, the log as it is stored,
and the audience's own.  ``viewing.match_view`` is the same as one map.

Source: docs/performance.md "The hub".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from games.kernel.facts import instant, iso
from games.live import protocol
from games.reading import viewing
from games.reading.snapshots import Snapshot


class Rendering:
    """One state of a match, ready to be shown to anybody."""

    def __init__(self, snapshot: Snapshot, presence: Mapping[str, Any]) -> None:
        self._snapshot = snapshot
        common = protocol.encode_view(viewing.common_part(snapshot, presence))
        # The log is kept as canonical text, which is JSON already.
        self._head = common[:-1] + b',"log":' + snapshot.match.recent.encode() + b","

    def view(self, seat: int | None) -> bytes:
        """Return the view from a seat, None for those who have none."""
        own = protocol.encode_view(viewing.own_part(self._snapshot, seat))
        return self._head + own[1:]


def time_now() -> str:
    """Return the server's clock, as frames carry it."""
    return iso(instant(timezone.now()))
