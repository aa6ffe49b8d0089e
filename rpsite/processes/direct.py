"""The direct way of texts from a socket to its connection, past the server's library.

For a short text the library's framing and ASGI's messages cost more than all that the socket does.
The library keeps everything else: handshake, pings, close frames, errors.

Source: docs/explanation/performance.md "The wire"; RFC 6455, section 5.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version

log = logging.getLogger(__name__)


def is_tested(tested: Mapping[str, str]) -> bool:
    """Whether these packages have the versions whose internals the direct way uses; log others."""
    others = [f"{name} {version(name)}" for name in tested if version(name) != tested[name]]
    if others:
        log.warning("wire.untested: %s; texts take the way through the library", ", ".join(others))
    return not others


class Direct:
    """The texts of one connection.

    Args:
        write: writes bytes to the connection; a no-op after a close frame or the end.
    """

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write

    def send(self, texts: Iterable[str]) -> None:
        """Write texts in one piece."""
        self._write(b"".join([text_frame(text) for text in texts]))


def text_frame(text: str) -> bytes:
    """Return the frame of a server's text: final, without extension, not masked."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 65536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)
