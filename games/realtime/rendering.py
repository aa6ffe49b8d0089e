"""Encode a match as bytes for each audience, in parts; unchanged parts are not encoded again.

A view is a JSON object: the head (the table and its sitters), the pace (phase and clock), the
log, the public part of the game, and the audience's own parts of table and game.  Moves of the game
change neither the head nor the audience's part of the table.  ``match_view.match_view`` builds the
same view as one map.

Source: docs/explanation/performance.md "The hub".
"""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from games.engine.facts import instant, iso
from games.matches.journal.entries import Line, write_lines
from games.matches.journal.snapshots import Snapshot
from games.matches.queries import match_view
from games.realtime.protocol import encode_view


class Parts:
    """The encoded parts of one match's last view, with the values that they were made from."""

    __slots__ = ("around", "head", "lines", "log", "you")

    def __init__(self) -> None:
        self.around: tuple[Any, ...] = ()
        self.head = b""
        #: Seat -> its own part of the table.
        self.you: dict[int | None, bytes] = {}
        self.lines: tuple[Line, ...] | None = None
        self.log = b""


class Rendering:
    """One state of a match, encoded for any audience. ``parts``: those of the match's earlier
    state.
    """

    def __init__(
        self, snapshot: Snapshot, presence: Mapping[str, Any], parts: Parts | None = None
    ) -> None:
        self._snapshot = snapshot
        self._parts = parts = parts or Parts()
        around = match_view.around(snapshot, presence)
        if around != parts.around:
            parts.head = encode_view(match_view.head_part(snapshot, presence))
            parts.you = {}
        parts.around = around
        if parts.lines is not snapshot.lines:
            # The lines are stored as canonical text, which is JSON already.
            parts.lines, parts.log = snapshot.lines, write_lines(snapshot.lines).encode()
        pace = encode_view(match_view.pace_part(snapshot))
        self._common = b"".join(
            (parts.head[:-1], b",", pace[1:-1], b',"log":', parts.log, b',"you":')
        )
        game = match_view.game_part(snapshot)
        # An object, to be continued by the audience's own part; None before the start.
        self._game = None if game is None else encode_view(game)[:-1] + b","

    def view(self, seat: int | None) -> bytes:
        """Return the view of a seat, or of spectators for None."""
        you = self._parts.you.get(seat)
        if you is None:
            you = encode_view(match_view.you_part(self._snapshot, seat))
            self._parts.you[seat] = you
        if self._game is None:
            return b"".join((self._common, you, b',"game":null}'))
        own = encode_view(match_view.own_game_part(self._snapshot, seat))
        return b"".join((self._common, you, b',"game":', self._game, b'"you":', own, b"}}"))


def time_now() -> str:
    """Return the server's clock, as frames carry it."""
    return iso(instant(timezone.now()))
