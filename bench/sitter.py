"""A player of the site's own wire protocol: sees views, sends actions, waits for acks.

It decodes only the part of a view that a player needs.
"""

import asyncio
import itertools
import time
from collections.abc import Callable
from typing import Any

import msgspec

from bench.tally import Tally
from bench.wire import Line, connect

#: The server holds back views after this many without confirmation; half of it is safe.
SEEN_EVERY = 32
_numbers = itertools.count(1)


class You(msgspec.Struct):
    """The viewer's seat in a game; each game has some of these fields."""

    legal: list[str] = []
    may: list[str] = []
    hand: str | None = None
    stock: dict[str, int] = {}
    attacks: dict[str, str] = {}
    targets: list[int] = []
    locked: bool = False
    raise_min: int | None = None


class Game(msgspec.Struct):
    """The game's part of a view."""

    stage: str
    you: You | None = None


class Own(msgspec.Struct):
    """The viewer's part of a match's view."""

    may: list[str] = []
    seat: int | None = None


class Table(msgspec.Struct):
    """The match's part of a view."""

    status: str
    options_revision: int = 1


class View(msgspec.Struct):
    """The decoded part of a view."""

    phase: int
    match: Table
    you: Own
    game: Game | None = None


class Frame(msgspec.Struct):
    """Any frame from the server."""

    type: str
    id: str | None = None
    revision: int = 0
    view: View | None = None
    code: str = ""
    retry_ms: int = 0


Decide = Callable[["Sitter", View], bytes | None]
_decode = msgspec.json.Decoder(Frame).decode


class Sitter:
    """One socket at one match.

    ``decide`` returns the next action as JSON, or None.  While ``is_active``, it is called after
    each answer and each new view, if no action is outstanding.  ``on_ack`` gets the ids of
    acknowledged actions.
    """

    def __init__(self, tally: Tally, decide: Decide) -> None:
        self.tally, self.decide = tally, decide
        self.is_active = False
        self.view: View | None = None
        self.on_ack: Callable[[str], None] | None = None
        self.on_view: Callable[[Sitter], None] | None = None
        self.line: Line
        self.turns = 0
        #: The last phase with an action that is possible only once; the plain
        #: baseline shows views out of order.
        self.last_phase = -1
        self._waiting: str | None = None
        self._payload = b""
        self._sent_at = 0.0
        self._refused_at: View | None = None

    async def open(self, address: str, table: dict[str, Any], seat: int, cookie: str) -> None:
        """Connect; the first view arrives later."""
        path = f"/ws/match/{table['public_id']}/"
        await connect(address, path, self.take, {"Cookie": cookie}, self._hold)

    def _hold(self, line: Line) -> None:
        self.line = line
        line.lost = self.tally.lose

    def take(self, payload: bytes) -> None:
        """Process a frame and continue."""
        frame = _decode(payload)
        if frame.type == "view":
            self.view = frame.view
            if frame.revision % SEEN_EVERY == 0:
                self.line.send(b'{"type":"seen","revision":%d}' % frame.revision)
            if self.on_view is not None:
                self.on_view(self)
        elif frame.type == "ack" and frame.id is not None and frame.id == self._waiting:
            self._acknowledged(frame.id)
        elif frame.type == "error":
            self._refused(frame)
            return
        if self.is_active:
            self.go_on()

    def go_on(self) -> bool:
        """Act if possible; return False if not, or if an answer is outstanding."""
        view = self.view
        if self._waiting is not None or view is None or view is self._refused_at:
            return False
        action = self.decide(self, view)
        if action is None:
            return False
        self.turns += 1
        self._waiting = f"bench-{next(_numbers):08d}"
        self._payload = b'{"id":"%s","type":"act","phase":%d,"action":%s}' % (
            self._waiting.encode(),
            view.phase,
            action,
        )
        self._sent_at = time.perf_counter()
        self.line.send(self._payload)
        return True

    def _acknowledged(self, frame_id: str) -> None:
        self._waiting = None
        self.tally.count(self._sent_at)
        if self.on_ack is not None:
            self.on_ack(frame_id)

    def _refused(self, frame: Frame) -> None:
        """Resend an action that the site was too busy for; else wait for the next view."""
        self.tally.refuse(frame.code)
        if frame.code == "busy":
            loop = asyncio.get_running_loop()
            loop.call_later(max(frame.retry_ms, 50) / 1000, self._send_again)
            return
        self._waiting = None
        self._refused_at = self.view

    def _send_again(self) -> None:
        if self._waiting is not None and self.is_active:
            self.line.send(self._payload)


def throw_in_duel(sitter: Sitter, view: View) -> bytes | None:
    """Throw as soon as the duel allows it.

    The seats win in turn, and every eighth throw is a tie, so that a duel continues.
    """
    own = view.game.you if view.game is not None else None
    if own is None or "throw" not in own.legal or own.hand is not None:
        return None
    number = view.phase
    if number <= sitter.last_phase:
        return None
    sitter.last_phase = number
    hand = b"rock" if number % 8 == 0 or number % 2 == view.you.seat else b"paper"
    return b'{"kind":"throw","hand":"%s"}' % hand


def choose_again(sitter: Sitter, view: View) -> bytes | None:
    """Choose weapons in turn in a round of Showdown that nobody locks."""
    own = view.game.you if view.game is not None else None
    if own is None or "attack" not in own.may:
        return None
    weapon = (b"rock", b"paper", b"scissors")[sitter.turns % 3]
    return b'{"kind":"attack","weapon":"%s","target":%d}' % (weapon, own.targets[0])


def lock_and_unlock(sitter: Sitter, view: View) -> bytes | None:
    """Lock and unlock the first seat, which all viewers see."""
    own = view.game.you if view.game is not None else None
    if own is None or view.you.seat != 0:
        return None
    return b'{"kind":"unlock"}' if own.locked else b'{"kind":"lock"}'


def play_showdown(sitter: Sitter, view: View) -> bytes | None:
    """Play a whole game: ready, call or sometimes raise, choose weapons against all, lock."""
    if view.game is None:
        may_start = "ready" in view.you.may
        revision = view.match.options_revision
        return b'{"kind":"ready","configuration":%d}' % revision if may_start else None
    own = view.game.you
    if own is None or view.game.stage == "over":
        return None
    if "call" in own.may:
        if "raise_by" in own.may and own.raise_min is not None and sitter.turns % 3 == 0:
            return b'{"kind":"raise_by","amount":%d}' % own.raise_min
        return b'{"kind":"call"}'
    return _arm(sitter, own)


def _arm(sitter: Sitter, own: You) -> bytes | None:
    open_targets = [no for no in own.targets if str(no) not in own.attacks]
    weapons = [name for name, count in own.stock.items() if count]
    if "attack" in own.may and open_targets and weapons:
        weapon = weapons[sitter.turns % len(weapons)]
        words = weapon.encode(), open_targets[0]
        return b'{"kind":"attack","weapon":"%s","target":%d}' % words
    return b'{"kind":"lock"}' if "lock" in own.may else None
