"""The site's listening socket, and whether a web process answers on one."""

import asyncio
import socket
from collections.abc import Collection
from typing import Final

#: Maximum number of connections that wait while a web process restarts.
BACKLOG: Final = 512
#: The lines of an answer to /healthz that say who answers.
PROCESS: Final = "X-Process"
VERSION: Final = "X-Version"
START: Final = "X-Start"
#: The kind of process that answers.
WEB: Final = "web"
#: Number of ports that are tried for a suggestion.
NEIGHBOURS: Final = 20


class CannotListen(Exception):
    """The address cannot be used; the message is one line for people."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0: any free one. Raises CannotListen."""
    try:
        return _bound(host, port)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        advice = _advice(host, port)
        raise CannotListen(f"Cannot use {address(host, port)}: {reason}.{advice}") from None


def address(host: str, port: int) -> str:
    """Return host and port in the form of a URL.
    >>> address("::1", 8000)
    '[::1]:8000'
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def is_well(where: str, port: int, host: str, starts: Collection[str | None]) -> bool:
    """Whether a web process of one of these starts answers 200 to /healthz, asked by the name
    ``host``.
    """
    request = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection(where, port)
            try:
                writer.write(request.encode())
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            finally:
                writer.close()
    except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
        return False
    lines = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
    is_own = lines.get(START.lower()) in starts and lines.get(PROCESS.lower()) == WEB
    return is_own and " 200 " in head[0]


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # A restart need not wait for old connections to time out; a running listener still counts.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _advice(host: str, port: int) -> str:
    for other in range(port + 1, min(port + NEIGHBOURS, 65535) + 1):
        try:
            _bound(host, other).close()
        except OSError:
            continue
        return f" Try --port {other}"
    return ""
