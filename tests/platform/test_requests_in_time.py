import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from twisted.internet.task import Clock
from uvicorn.server import ServerState

from rpsite.processes import uvicorn_server
from rpsite.processes.daphne_protocols import Channel
from rpsite.processes.limits import LONGEST_HEAD, REQUEST_TIME
from rpsite.processes.uvicorn_server import RequestProtocol
from tests.platform.connections import HEAD, _Transport, _Twisted

pytestmark = pytest.mark.usefixtures("jumping")

FORM = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
#: What is sent at first; then byte after byte follows.
BEGUN = {"line": b"GET /", "head": b"GET / HTTP/1.1\r\nX: ", "body": FORM, "socket": HEAD[:-4]}


class Line(NamedTuple):
    """A connection of a server: bytes in, answers out, and time that passes."""

    receive: Callable[[bytes], None]
    writes: list[bytes]
    is_closed: Callable[[], bool]
    wait: Callable[[float], Any] = asyncio.sleep

    @property
    def statuses(self) -> list[bytes]:
        return [answer[9:12] for answer in self.writes if answer.startswith(b"HTTP/1.1")]


def on_uvicorn() -> Line:
    async def application(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    configuration = uvicorn_server._configuration(application)
    configuration.load()
    protocol = RequestProtocol(configuration, ServerState(), {})
    transport = _Transport(writes := [])
    protocol.connection_made(transport)
    return Line(protocol.data_received, writes, transport.is_closing)


class Answered:
    """A request of Twisted that is answered at once."""

    def __init__(self, channel: Channel, _: bool) -> None:
        self.channel = channel
        self.requestHeaders = self.responseHeaders = self
        self.gotLength = self.handleContentChunk = self.addRawHeader = lambda *_: None
        self.parseCookies, self.getRawHeaders = (lambda: None), (lambda *_: None)

    def requestReceived(self, *_: bytes) -> None:  # noqa: N802 - Twisted's name
        self.channel.transport.write(b"HTTP/1.1 200 OK\r\n\r\n")
        self.channel.requestDone(self)


def on_daphne() -> Line:
    clock, channel = Clock(), Channel()
    channel.requestFactory, channel.callLater, channel.timeOut = Answered, clock.callLater, 60
    transport = _Twisted(writes := [])
    channel.makeConnection(transport)

    async def wait(seconds: float) -> None:
        clock.advance(seconds)

    return Line(channel.dataReceived, writes, lambda: transport.disconnecting, wait)


both = pytest.mark.parametrize("opened", [on_daphne, on_uvicorn])


@both
@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN)
async def test_hostile_88_a_request_that_comes_byte_after_byte_ends_in_time(opened, begun) -> None:
    line = opened()
    line.receive(begun)
    for _ in range(REQUEST_TIME - 1):
        await line.wait(1)
        assert not line.is_closed()
        line.receive(b"a")
    await line.wait(2)
    assert line.is_closed()
    assert line.statuses == [b"408"]


@both
async def test_requests_on_one_connection_have_time_each(opened) -> None:
    line = opened()
    for _ in range(3):
        line.receive(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        await line.wait(REQUEST_TIME - 1)
        line.receive(b"\r\n")
        await line.wait(20)
        assert not line.is_closed()
    assert line.statuses == [b"200"] * 3
    silent = on_uvicorn()
    await silent.wait(REQUEST_TIME + 1)
    assert silent.is_closed()


@pytest.mark.parametrize(
    "pieces",
    [
        [b"GET / HTTP/1.1\r\nX: ", *[b"a" * 1024] * 16],
        [b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 4000 + b"\r\n"],
        [b"GET /" + b"a" * LONGEST_HEAD + b" HTTP/1.1\r\n\r\n"],
    ],
    ids=["pieces", "many", "address"],
)
async def test_hostile_89_a_head_without_end_is_refused_while_it_comes(pieces) -> None:
    """Twisted has its own limit: over real connections ``tests/hostile/test_servers.py``."""
    line = on_uvicorn()
    for piece in pieces:
        assert not line.is_closed()
        line.receive(piece)
    assert line.is_closed()
    assert line.statuses == [b"431"]
