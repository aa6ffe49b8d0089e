"""The direct way of texts between a connection and its socket, past the server's library, whose
framing and messages cost more than all that the socket does.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from typing import Final

from rpsite.processes.limits import LONGEST_FRAME

log = logging.getLogger(__name__)

#: First bytes of a frame: a text that is one whole message without extension; ping and pong.
TEXT: Final = 0x81
PONG: Final = 0x8A
PINGS: Final = (0x89, PONG)
#: The second byte: the mark of a masked frame, plus the length, or that two more bytes hold it.
MASKED: Final = 0x80
LONGEST_SHORT: Final = 125
TWO_BYTES: Final = 126


def is_tested(tested: Mapping[str, str]) -> bool:
    """Whether these packages have the versions whose internals the direct way uses; log others."""
    others = [f"{name} {version(name)}" for name in tested if version(name) != tested[name]]
    if others:
        log.warning("wire.untested: %s; texts take the way through the library", ", ".join(others))
    return not others


class NotOurs(Exception):
    """A frame that only the library reads."""


class Direct:
    """The texts of one connection; ``library`` reads bytes as the server's library does, ``write``
    writes them, to no effect after a close frame or the end.
    """

    def __init__(self, library: Callable[[bytes], None], write: Callable[[bytes], None]) -> None:
        self._library, self._write = library, write
        self._take: Callable[[str], None] | None = None
        self._reads_of_library = 0
        self._rest = b""
        #: The payload of the last ping until its pong, when it was sent, and whom to tell.
        self._ping: tuple[bytes, float, Callable[[float], None]] | None = None

    def listen(self, take: Callable[[str], None] | None) -> None:
        """Give each text that arrives from now on to ``take``; None for the library."""
        # The first read was the handshake.  After a further one the library may be inside a frame.
        if self._reads_of_library <= 1:
            self._take = take

    def receive(self, data: bytes) -> None:
        """Read what has arrived; keep the beginning of a frame that is not whole yet."""
        data, self._rest = self._rest + data, b""
        if self._take is None:
            self._reads_of_library += 1
            self._library(data)
            return
        at = 0
        try:
            while at < len(data) and (end := self._read(data, at, self._take)) > at:
                at = end
        except NotOurs:
            # For good: two readers in turn would have to know each other's state.
            self._take = None
        if self._take is None:
            # Not in the handler: an error that the library keeps would keep this data by its cause.
            self._library(data[at:])
        else:
            self._rest = data[at:]

    def _read(self, data: bytes, at: int, take: Callable[[str], None]) -> int:
        """Read the frame at an index and return its end; the index itself if it is not whole.
        Raises NotOurs.
        """
        start, end = payload_of(data, at)
        if end > len(data):
            return at
        if data[at] == TEXT:
            take(text_of(data[start:end], data[start - 4 : start]))
        else:
            if data[at] == PONG and self._ping is not None:
                self._hear_pong(data[start:end], data[start - 4 : start], *self._ping)
            self._library(data[at:end])
        return end

    def _hear_pong(
        self, masked: bytes, mask: bytes, payload: bytes, at: float, told: Callable[[float], None]
    ) -> None:
        if masked == bytes(byte ^ mask[no % 4] for no, byte in enumerate(payload)):
            self._ping = None
            told(time.perf_counter() - at)

    def ping(self, told: Callable[[float], None]) -> None:
        """Send a ping; ``told`` gets the seconds until its pong, if it is before the next ping."""
        # Random, so that nobody sends a pong before the ping has arrived.
        payload = secrets.token_bytes(8)
        self._ping = payload, time.perf_counter(), told
        self._write(b"\x89\x08" + payload)

    def send(self, texts: Iterable[str]) -> None:
        """Write texts in one piece."""
        self._write(b"".join(map(text_frame, texts)))


def payload_of(data: bytes, at: int) -> tuple[int, int]:
    """Return where a frame's payload begins and ends, or an end behind incomplete data. Raises
    NotOurs if it is neither a whole, masked text of the shortest form nor ping or pong, or is too
    long.
    """
    if len(data) < at + 2:
        return at, at + 2
    first, length, start = data[at], data[at + 1] - MASKED, at + 6
    if first == TEXT and length == TWO_BYTES:
        if len(data) < at + 4:
            return at, at + 4
        length, start = int.from_bytes(data[at + 2 : at + 4]), at + 8
        is_ours = LONGEST_SHORT < length <= LONGEST_FRAME
    else:
        is_ours = 0 <= length <= LONGEST_SHORT and (first == TEXT or first in PINGS)
    if not is_ours:
        raise NotOurs
    return start, start + length


def text_of(payload: bytes, mask: bytes) -> str:
    """Return a text without its mask. Raises NotOurs if it is not UTF-8."""
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    plain = int.from_bytes(payload) ^ int.from_bytes(key)
    try:
        return plain.to_bytes(size).decode()
    except UnicodeDecodeError:
        raise NotOurs from None


def text_frame(text: str) -> bytes:
    """Return the frame of a server's text: final, without extension, not masked."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 65536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)
