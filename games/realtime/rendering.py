"""Encode a match as bytes for each audience, in parts; unchanged parts are not encoded again.

A view is a JSON object: the head (the table and its sitters), the pace (phase and clock), the
log, the public part of the game, and the audience's own parts of table and game.  The head and the
audience's part of the table are cached under a key of their inputs, which moves of the game do not
change.  ``match_view.match_view`` builds the same view as one map.

Source: docs/explanation/performance.md "The hub".
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from django.utils import timezone

from games.engine.facts import instant, iso
from games.matches.queries import match_view
from games.matches.queries.snapshots import Snapshot
from games.realtime import protocol


class Parts:
    """The cache of one match's encoded view parts, each with its key."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[Any, bytes]] = {}

    def get(self, name: Hashable, key: Any, make: Callable[[], object]) -> bytes:
        """Return the part cached under this key, or encode and cache it."""
        kept = self._kept.get(name)
        if kept is not None and kept[0] == key:
            return kept[1]
        encoded = protocol.encode_view(make())
        self._kept[name] = (key, encoded)
        return encoded


class Rendering:
    """One state of a match, encoded for any audience.

    Args:
        parts: the cache of the match's earlier states.
    """

    def __init__(
        self, snapshot: Snapshot, presence: Mapping[str, Any], parts: Parts | None = None
    ) -> None:
        self._snapshot = snapshot
        self._parts = parts or Parts()
        head = self._parts.get(
            "head",
            match_view.head_key(snapshot, presence),
            lambda: match_view.head_part(snapshot, presence),
        )
        pace = protocol.encode_view(match_view.pace_part(snapshot))
        # The log is stored as canonical text, which is JSON already.
        log = snapshot.log.encode()
        self._common = b"".join((head[:-1], b",", pace[1:-1], b',"log":', log, b',"you":'))
        game = protocol.encode_view(match_view.game_part(snapshot))
        # An object, to be continued by the audience's own part; None for null.
        self._game = None if game == b"null" else game[:-1] + b","

    def view(self, seat: int | None) -> bytes:
        """Return the view of a seat, or of spectators for None."""
        snapshot = self._snapshot
        you = self._parts.get(
            seat, match_view.you_key(snapshot, seat), lambda: match_view.you_part(snapshot, seat)
        )
        if self._game is None:
            return b"".join((self._common, you, b',"game":null}'))
        own = protocol.encode_view(match_view.own_game_part(snapshot, seat))
        return b"".join((self._common, you, b',"game":', self._game, b'"you":', own, b"}}"))


def time_now() -> str:
    """Return the server's clock, as frames carry it."""
    return iso(instant(timezone.now()))
