"""A WebSocket client with minimal cost, so that the server is measured.

Frames are masked with zeros, which RFC 6455 allows and which changes nothing in the payload.
Fragments and compression, which none of the measured servers uses, are refused.
"""

import asyncio
import base64
import os
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
_FINAL: Final = 0x80
_MASKED: Final = 0x80
_NO_MASK: Final = b"\0\0\0\0"


class Refused(Exception):
    """The server refused the handshake; with the first line of its answer."""


def encode(payload: bytes, opcode: int = TEXT) -> bytes:
    """Return a client's frame.

    >>> encode(b"hi").hex(" ")
    '81 82 00 00 00 00 68 69'
    """
    size = len(payload)
    if size < 126:
        head = bytes((_FINAL | opcode, _MASKED | size))
    elif size < 65536:
        head = bytes((_FINAL | opcode, _MASKED | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((_FINAL | opcode, _MASKED | 127)) + size.to_bytes(8, "big")
    return head + _NO_MASK + payload


def decode(data: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    r"""Return the complete frames at the start of the data, as (opcode, payload), and the rest.

    Raises:
        ValueError: a fragment, an extension's bit, or a masked frame.

    >>> decode(bytes.fromhex("81 02 68 69 82"))
    ([(1, b'hi')], b'\x82')
    """
    found: list[tuple[int, bytes]] = []
    position, size = 0, len(data)
    while size - position >= 2:
        first, length = data[position], data[position + 1]
        start = position + 2
        if length >= 126:
            if length > 127:
                raise ValueError("a server's frame is masked")
            more = 2 if length == 126 else 8
            if size - start < more:
                break
            length = int.from_bytes(data[start : start + more], "big")
            start += more
        if first & 0xF0 != _FINAL:
            raise ValueError(f"a fragment or an extension's frame: {first:#x}")
        end = start + length
        if end > size:
            break
        found.append((first & 0x0F, data[start:end]))
        position = end
    return found, data[position:]


class Line(asyncio.Protocol):
    """One connection: ``take`` gets each message, ``lost`` the end with its close code.

    ``ponged`` is called for each pong.
    """

    def __init__(self, take: Callable[[bytes], None], request: bytes) -> None:
        self.take = take
        self.lost: Callable[[int], None] | None = None
        self.ponged: Callable[[], None] | None = None
        self.code = 1006
        self.is_open = asyncio.get_running_loop().create_future()
        self.received = 0
        self._request = request
        self._rest = b""
        self._upgraded = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request for an upgrade."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop has classes of its own
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Process the complete frames."""
        data = self._rest + data if self._rest else data
        if not self._upgraded:
            data = self._upgrade(data)
            if not self._upgraded:
                self._rest = data
                return
        frames, self._rest = decode(data)
        for opcode, payload in frames:
            if opcode in (TEXT, BINARY):
                self.received += 1
                self.take(payload)
            elif opcode == PING:
                self._transport.write(encode(payload, PONG))
            elif opcode == PONG and self.ponged is not None:
                self.ponged()
            elif opcode == CLOSE:
                self.code = int.from_bytes(payload[:2], "big") if payload else 1005
                self._transport.write(encode(payload[:2], CLOSE))

    def connection_lost(self, exc: Exception | None) -> None:
        """Call ``lost``."""
        if not self.is_open.done():
            self.is_open.set_exception(Refused("the connection ended during the handshake"))
        if self.lost is not None:
            self.lost(self.code)

    def send(self, payload: bytes, opcode: int = TEXT) -> None:
        """Send one message."""
        self._transport.write(encode(payload, opcode))

    def close(self) -> None:
        """End the connection without waiting for the server's answer."""
        self.lost = None
        self._transport.write(encode((1000).to_bytes(2, "big"), CLOSE))
        self._transport.close()

    def abort(self) -> None:
        """Drop the connection."""
        self.lost = None
        self._transport.abort()

    def _upgrade(self, data: bytes) -> bytes:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return data
        if b" 101 " not in head.partition(b"\r\n")[0]:
            if not self.is_open.done():
                self.is_open.set_exception(Refused(head.partition(b"\r\n")[0].decode("latin-1")))
            self._transport.abort()
            return b""
        self._upgraded = True
        self.is_open.set_result(None)
        return rest


def handshake(address: str, path: str, headers: Mapping[str, str] | None = None) -> bytes:
    """Return the request for an upgrade, with the server as Origin."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = {
        "Host": address,
        "Origin": f"http://{address}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Version": "13",
        **(headers or {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()


async def connect(
    address: str,
    path: str,
    take: Callable[[bytes], None],
    headers: Mapping[str, str] | None = None,
    hold: Callable[[Line], None] | None = None,
) -> Line:
    """Open a connection.

    Args:
        hold: gets the line before the first message, which may arrive with the handshake's answer.

    Raises:
        Refused: the server answered with anything but 101.
    """
    host, port = address.split(":")
    loop = asyncio.get_running_loop()
    request = handshake(address, path, headers)
    line = Line(take, request)
    if hold is not None:
        hold(line)
    await loop.create_connection(lambda: line, host, int(port))
    await asyncio.wait_for(line.is_open, 30)
    return line


async def connect_all(openings: list[Any], at_once: int = 64) -> list[Any]:
    """Await many connections (functions without arguments), a limited number at a time."""
    gate = asyncio.Semaphore(at_once)

    async def one(opening: Any) -> Any:
        async with gate:
            return await opening()

    return list(await asyncio.gather(*(one(opening) for opening in openings)))
