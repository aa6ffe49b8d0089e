"""Cases 1, 18, 19 and 20 at the servers themselves, Daphne and uvicorn, over a real connection."""

import asyncio
import contextlib
import http.client
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
import websockets

from tests.boot import PATIENCE
from tests.platform.prepared import copy_all
from tests.platform.server import Server

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]
#: The header of a text frame with this many bytes, masked with zeros.
ENDLESS = b"\x01\xff" + (2**30).to_bytes(8, "big") + b"\0\0\0\0"


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> Iterator[Server]:
    with Server(
        copy_all(prepared, tmp_path_factory.mktemp(request.param)), request.param
    ) as running:
        yield running


def test_hostile_92_a_hundred_requests_at_once_are_all_answered_and_more_are_told_to_wait(server):
    def load(_: int) -> tuple[int, str | None]:
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=3 * PATIENCE)
        with contextlib.closing(line):
            line.request("GET", "/leaderboard/")
            answer = line.getresponse()
            answer.read()
            return answer.status, answer.getheader("Retry-After")

    with ThreadPoolExecutor(400) as crowd:
        assert set(crowd.map(load, range(100))) == {(200, None)}
        flood = Counter(crowd.map(load, range(400)))
    assert set(flood) == {(200, None), (503, "5")}


@pytest.fixture
def lobby(server: Server) -> str:
    return f"ws://127.0.0.1:{server.port}/ws/lobby/"


async def how_closed(url: str, *messages: str | bytes, raw: bytes = b"") -> int | None:
    """Send messages, or bytes as they are, and return the code that the socket is closed with."""
    async with websockets.connect(url) as client:
        for message in messages:
            await client.send(message)
        if raw:
            client.transport.write(raw)
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        return client.close_code


async def test_hostile_01_a_cookie_from_another_site_is_refused_with_403(lobby):
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with websockets.connect(
            lobby, origin="https://evil.example", additional_headers={"Cookie": "sessionid=x"}
        ):
            pass
    assert refusal.value.response.status_code == 403


async def test_hostile_18_bad_frames_close_the_socket(lobby):
    """It is told so before it is not read any more."""
    assert await how_closed(lobby, *["{"] * 30) == 4429


async def test_hostile_19_a_frame_above_the_limit_closes_the_socket(lobby):
    assert await how_closed(lobby, "x" * 8193) == 1009
    async with websockets.connect(lobby) as client:
        await client.send("x" * 8192)
        await asyncio.wait_for(await client.ping(), PATIENCE)


async def test_hostile_19_a_gigabyte_is_refused_when_it_is_announced(lobby):
    """By the length alone: not a byte of it has come."""
    assert await how_closed(lobby, raw=ENDLESS) == 1009


async def test_hostile_19_nor_does_it_come_in_pieces(lobby):
    piece = b"\x01\xfe\x10\x00" + b"\0\0\0\0" + b"x" * 4096
    more = b"\x00" + piece[1:]
    assert await how_closed(lobby, raw=piece + more + more) == 1009


@pytest.mark.parametrize(
    ("first", "endless"),
    [(b"", b"\x89\x80"), (b"", b"\x8a\x80"), (b"\x01\x80\0\0\0\0", b"\x00\x80")],
    ids=["pings", "pongs", "pieces"],
)
async def test_hostile_19_frames_that_no_handler_counts_end_the_connection(
    lobby: str, server: Server, first: bytes, endless: bytes
) -> None:
    """A connection leaves one line in the log."""
    before = floods(server)
    assert await how_closed(lobby, raw=first + (endless + b"\0\0\0\0") * 2000) == 1006
    async with asyncio.timeout(PATIENCE):
        while floods(server) == before:  # noqa: ASYNC110 - another process writes the line
            await asyncio.sleep(0.05)
    assert floods(server) == before + 1


def floods(server: Server) -> int:
    return server.log.read_text().count("a flood of pings")


async def test_hostile_19_compression_is_not_agreed_to(lobby):
    async with websockets.connect(lobby, compression="deflate") as client:
        assert "Sec-WebSocket-Extensions" not in client.response.headers


async def test_hostile_20_text_that_is_not_utf8_closes_the_socket(lobby):
    mask = b"\0\0\0\0"
    assert await how_closed(lobby, raw=b"\x81\x82" + mask + b"\xff\xff") == 1007


def shake(extra: str) -> bytes:
    """Return a handshake with something after its headers."""
    return (
        "GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{extra}"
    ).encode()


ODD = {
    "body": "Content-Length: 5\r\n\r\nhello",
    "chunked": "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "long": f"X: {'a' * 70_000}\r\n\r\n",
    "nine kilobytes": f"X: {'a' * 9_000}\r\n\r\n",
    "many": "X: a\r\n" * 1_000 + "\r\n",
}


@pytest.mark.parametrize("extra", ODD.values(), ids=ODD)
def test_hostile_89_an_odd_handshake_is_answered_or_closed(server: Server, extra: str) -> None:
    """Daphne reads a short one as if nothing followed."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        with suppress(ConnectionError):
            line.sendall(shake(extra))
        answer = b""
        with suppress(ConnectionError):
            answer = line.recv(4096)
            while b"101" not in answer[:12] and line.recv(4096):
                pass
    assert answer[:12] in (b"HTTP/1.1 101", b"HTTP/1.1 400", b"HTTP/1.1 431", b"")


@pytest.mark.fault_profile
def test_hostile_88_a_handshake_that_comes_byte_after_byte_ends(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as line:
        line.sendall(shake("X: "))
        line.settimeout(0.5)
        answer = None
        until = time.monotonic() + PATIENCE
        while answer is None and time.monotonic() < until:
            line.sendall(b"a")
            with suppress(TimeoutError):
                answer = line.recv(4096)
    assert answer is not None
    assert answer.startswith(b"HTTP/1.1 408")
