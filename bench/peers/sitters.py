"""Players of other servers: socket.io's framing for boardgame.io, msgpack for Colyseus.

Both send the state to both seats after each throw.  A throw counts as acknowledged when its owner
receives a state that contains it.
"""

import time
from collections.abc import Callable
from typing import Any

import msgspec

from bench.tally import Tally
from bench.wire import BINARY, Line, connect

HANDS = ("rock", "paper")


class State(msgspec.Struct):
    """The duel's state for a seat."""

    number: int
    hands: list[str | None]


class Whole(msgspec.Struct):
    """boardgame.io's state, which contains it."""

    G: State
    state_id: int = msgspec.field(name="_stateID", default=0)


class Synced(msgspec.Struct):
    """boardgame.io's answer to a sync."""

    state: Whole


class PeerSitter:
    """One socket at one duel of another server; used like ``bench.sitter.Sitter``."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.is_active = False
        self.on_view: Callable[[Any], None] | None = None
        self.view = None
        self.line: Line
        self.seat = 0
        self._state: State | None = None
        self._thrown = 0
        self._acknowledged = 0
        self._sent_at = 0.0

    def _hold(self, line: Line) -> None:
        self.line = line
        line.lost = self.tally.lose

    def shown(self, state: State) -> None:
        """Process a new state: count the throw in it, then continue."""
        self._state = state
        is_in = state.number > self._thrown or state.hands[self.seat] is not None
        if self._thrown > self._acknowledged and is_in:
            self._acknowledged = self._thrown
            self.tally.count(self._sent_at)
        if self.is_active:
            self.go_on()

    def go_on(self) -> bool:
        """Throw, unless an answer is outstanding or a hand is in."""
        state = self._state
        if state is None or self._thrown > self._acknowledged or state.number <= self._thrown:
            return False
        self._thrown = state.number
        rock = state.number % 8 == 0 or state.number % 2 == self.seat
        self._sent_at = time.perf_counter()
        self.throw(HANDS[0] if rock else HANDS[1])
        return True

    def throw(self, hand: str) -> None:
        """Send a hand."""
        raise NotImplementedError

    async def open(self, address: str, table: dict[str, Any], seat: int, cookie: str) -> None:
        """Connect and wait for the first state of the duel."""
        raise NotImplementedError


class BoardgameSitter(PeerSitter):
    """Speaks engine.io 4, socket.io 5 and boardgame.io's messages."""

    _updates = msgspec.json.Decoder(tuple[str, str, Whole, msgspec.Raw])
    _syncs = msgspec.json.Decoder(tuple[str, str, Synced])

    async def open(self, address: str, table: dict[str, Any], seat: int, cookie: str) -> None:
        """Connect by WebSocket, enter the game's namespace, and sync."""
        self.seat, self._match = seat, table["public_id"]
        self._credentials = table["credentials"][seat]
        self._state_id = 0
        path = "/socket.io/?EIO=4&transport=websocket"
        await connect(address, path, self.take, None, self._hold)

    def take(self, payload: bytes) -> None:
        """Process a message; most are updates."""
        if payload.startswith(b'42/rps,["update"'):
            whole = self._updates.decode(payload[7:])[2]
            self._state_id = whole.state_id
            self.shown(whole.G)
        elif payload == b"2":
            self.line.send(b"3")
        elif payload.startswith(b"0"):
            self.line.send(b"40/rps,")
        elif payload.startswith(b"40/rps"):
            words = ["sync", self._match, str(self.seat), self._credentials, 2]
            self.line.send(b"42/rps," + msgspec.json.encode(words))
        elif payload.startswith(b'42/rps,["sync"'):
            whole = self._syncs.decode(payload[7:])[2].state
            self._state_id = whole.state_id
            self.shown(whole.G)

    def throw(self, hand: str) -> None:
        """Send the move."""
        move = {
            "type": "throwHand",
            "args": [hand],
            "playerID": str(self.seat),
            "credentials": self._credentials,
        }
        action = {"type": "MAKE_MOVE", "payload": move}
        words = ["update", action, self._state_id, self._match, str(self.seat)]
        self.line.send(b"42/rps," + msgspec.json.encode(words))


class ColyseusSitter(PeerSitter):
    """Speaks Colyseus's protocol: a byte for the kind, the name and the content in msgpack."""

    JOIN_ROOM, ROOM_DATA = 10, 13
    _states = msgspec.msgpack.Decoder(State)
    _STATE = bytes((ROOM_DATA,)) + msgspec.msgpack.encode("state")
    _THROW = bytes((ROOM_DATA,)) + msgspec.msgpack.encode("throw")

    async def open(self, address: str, table: dict[str, Any], seat: int, cookie: str) -> None:
        """Connect with the reserved seat."""
        self.seat = seat
        place = table["seats"][seat]
        path = f"/{place['processId']}/{place['roomId']}?sessionId={place['sessionId']}"
        await connect(address, path, self.take, None, self._hold)

    def take(self, payload: bytes) -> None:
        """Process a message."""
        if payload.startswith(self._STATE):
            self.shown(self._states.decode(payload[len(self._STATE) :]))
        elif payload[0] == self.JOIN_ROOM:
            self.line.send(bytes((self.JOIN_ROOM,)), BINARY)

    def throw(self, hand: str) -> None:
        """Send the hand."""
        self.line.send(self._THROW + msgspec.msgpack.encode(hand), BINARY)
