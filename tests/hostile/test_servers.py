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
MASK = b"\0\0\0\0"
PIECE = b"\x01\xfe\x10\x00" + MASK + b"x" * 4096
#: Messages, or bytes as they are, and the code that a socket is closed with.
CLOSES: dict[str, tuple[list[str], bytes, int]] = {
    # It is told so before it is not read any more.
    "18 bad frames": (["{"] * 30, b"", 4429),
    "19 above the limit": (["x" * 8193], b"", 1009),
    # By the length alone: not a byte of it has come.
    "19 a gigabyte announced": ([], b"\x01\xff" + (2**30).to_bytes(8, "big") + MASK, 1009),
    "19 in pieces": ([], PIECE + 2 * (b"\x00" + PIECE[1:]), 1009),
    "20 no UTF-8": ([], b"\x81\x82" + MASK + b"\xff\xff", 1007),
    "20 half a character": ([], b"\x81\x83" + MASK + b"\xed\xa0\x80", 1007),
}


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
    async with websockets.connect(url) as client:
        for message in messages:
            await client.send(message)
        if raw:
            client.transport.write(raw)
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        return client.close_code


async def test_hostile_01_19_no_cookie_from_another_site_and_no_compression(lobby):
    origin = {"origin": "https://evil.example", "additional_headers": {"Cookie": "sessionid=x"}}
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with websockets.connect(lobby, **origin):
            pass
    assert refusal.value.response.status_code == 403
    async with websockets.connect(lobby, compression="deflate") as client:
        assert "Sec-WebSocket-Extensions" not in client.response.headers
        await client.send("x" * 8192)
        await asyncio.wait_for(await client.ping(), PATIENCE)


@pytest.mark.parametrize(("messages", "raw", "code"), CLOSES.values(), ids=CLOSES)
async def test_hostile_18_19_20_what_is_bad_closes_the_socket(lobby, messages, raw, code):
    assert await how_closed(lobby, *messages, raw=raw) == code


@pytest.mark.parametrize(
    ("first", "endless"),
    [(b"", b"\x89\x80"), (b"", b"\x8a\x80"), (b"\x01\x80\0\0\0\0", b"\x00\x80")],
    ids=["pings", "pongs", "pieces"],
)
async def test_hostile_19_frames_that_no_handler_counts_end_the_connection(
    lobby: str, server: Server, first: bytes, endless: bytes
) -> None:
    """A connection leaves one line in the log."""

    def floods() -> int:
        return server.log.read_text().count("a flood of pings")

    before = floods()
    assert await how_closed(lobby, raw=first + (endless + MASK) * 2000) == 1006
    async with asyncio.timeout(PATIENCE):
        while floods() == before:  # noqa: ASYNC110 - another process writes the line
            await asyncio.sleep(0.05)
    assert floods() == before + 1


def shake(extra: str) -> bytes:
    return (
        "GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{extra}"
    ).encode()


ODD = {
    "body": "Content-Length: 5\r\n\r\nhello",
    "chunked": "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "long": f"X: {'a' * 70_000}\r\n\r\n",
    "longer": f"X: {'a' * 200_000}\r\n\r\n",
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
    assert "Traceback" not in server.log.read_text()


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
