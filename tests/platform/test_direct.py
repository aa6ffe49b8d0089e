import asyncio
import contextlib
import itertools
import operator
import os
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
import websockets

from bench.wire import CLOSE, PING, PONG
from rpsite.processes import daphne_protocols, direct, uvicorn_server
from rpsite.processes.direct import is_tested, text_frame
from rpsite.processes.limits import LONGEST_FRAME
from tests.boot import PATIENCE, ROOT
from tests.forms import form
from tests.platform import forks
from tests.platform.connections import OnDaphne, OnUvicorn, Sent, frames_of
from tests.platform.prepared import copy_all
from tests.platform.raw_socket import shake_hands
from tests.platform.server import Server

SERVERS: dict[str, tuple[Any, Any]] = {
    "daphne": (OnDaphne, daphne_protocols),
    "uvicorn": (OnUvicorn, uvicorn_server),
}
STREAMS = form(200, in_long=5_000)
SEEN = b'{"type":"seen","revision":1}'


@pytest.fixture(params=SERVERS)
def kind(request):
    return request.param


async def opened(kind: str, protocol: str = "DirectProtocol") -> Any:
    connection, module = SERVERS[kind]
    accepted = await connection(getattr(module, protocol)).open()
    assert ("direct" in accepted.scope) == (protocol == "DirectProtocol")
    return accepted


def frame(payload: bytes, first: int = 0x81, mask: bytes = b"\x01\x80\xfe\x5a") -> bytes:
    """Return a client's frame in its shortest form."""
    size = len(payload)
    head = bytes([first, 0x80 | size]) if size < 126 else b"%c\xfe%b" % (first, size.to_bytes(2))
    return head + mask + bytes(map(operator.xor, payload, itertools.cycle(mask)))


def text(draw: random.Random) -> bytes:
    """Return a text, now and then of a length at a limit."""
    size = draw.choice([0, 1, 5, 60, 124, 125, 126, 127, 300, LONGEST_FRAME - 3])
    drawn = "".join(draw.choices("ab{}é€🎩", k=size)).encode()[:LONGEST_FRAME]
    return drawn.decode(errors="ignore").encode()


def strange(draw: random.Random) -> list[bytes]:
    """Return a frame, or several, that not every client sends, right or wrong."""
    payload = text(draw)[:100]
    e = "é".encode()
    rare = [
        [frame(payload, 0x01), frame(b"", 0x89), frame(payload, 0x80)],
        [frame(e[:1], 0x01), frame(e[1:], 0x80)],
        [frame(payload, 0x01), frame(payload)],
        *([frame(payload, first)] for first in (0x80, 0x82, 0xC1, 0x83, 0x09)),
        *([frame(wrong)] for wrong in (b"\xff" + payload, payload + b"\xed\xa0\x80")),
        [frame(payload + b"\xc3")],
        [b"\x81" + bytes([len(payload)]) + payload],
        [b"\x81\xfe" + (5).to_bytes(2) + bytes(4) + b"short"],
        [b"\x81\xff" + (5).to_bytes(8) + bytes(4) + b"short"],
        [b"\x89\xfe" + (126).to_bytes(2) + bytes(130)],
        [frame(b"x" * (LONGEST_FRAME + 1))],
        [b"\x81\xff" + (2**30).to_bytes(8) + bytes(4)],
        *([frame(code.to_bytes(2), 0x88)] for code in (4001, 5)),
        *([frame(data, 0x88)] for data in ((1000).to_bytes(2) + b"bye", b"", b"x")),
    ]
    return draw.choice(rare)


def stream(draw: random.Random) -> list[bytes]:
    """Return what a client may send: texts and pings, then perhaps something strange, and more."""

    def usual() -> list[bytes]:
        frames = [frame(text(draw)), frame(b"here", 0x89), frame(b"", 0x8A)]
        return draw.choices(frames, [6, 1, 1], k=draw.randrange(8))

    return usual() + (strange(draw) if draw.random() < 0.8 else []) + usual()


def cut(data: bytes, draw: random.Random) -> Iterator[bytes]:
    """Cut data at random, mostly into few pieces."""
    longest = draw.choice([1, 3, 10, 1000, LONGEST_FRAME, len(data) + 1])
    while data:
        size = draw.randint(1, longest)
        yield data[:size]
        data = data[size:]


@pytest.mark.parametrize("seed", range(4))
async def test_direct_way_takes_what_the_library_takes_and_ends_as_it_does(kind, seed):
    draw = random.Random(seed)
    for _ in range(STREAMS // 4):
        frames = stream(draw)
        pieces = list(cut(b"".join(frames), draw))
        by_library, directly = await opened(kind, "Protocol"), await opened(kind)
        # A frame a read: uvicorn drops the texts of a read that breaks the protocol further on.
        for single in frames:
            by_library.feed(single)
        for piece in pieces:
            directly.feed(piece)
        assert directly.texts == by_library.texts, pieces
        assert directly.close_code == by_library.close_code, pieces
        # After invalid UTF-8 uvicorn still answers the pings of the same read.
        assert directly.close_code or directly.pongs == by_library.pongs, pieces


@pytest.mark.parametrize("size", [2, 125, 126, 127, 65535, 65536, 200_000])
async def test_direct_way_writes_the_frames_of_the_library(kind, size):
    sent = "é" + "x" * (size - 2)
    by_library, directly = await opened(kind, "Protocol"), await opened(kind)
    directly.scope["direct"].send([sent])
    if kind == "daphne":
        by_library.protocol.sendMessage(sent.encode())
    else:
        await by_library.protocol.send({"type": "websocket.send", "text": sent})
    assert directly.writes == by_library.writes


async def test_direct_way_writes_several_texts_in_one_piece_and_none_after_a_close_frame(kind):
    connection = await opened(kind)
    connection.scope["direct"].send(["one", "two", "three"])
    assert [frame.payload for frame in frames_of(*connection.writes)] == [b"one", b"two", b"three"]
    await connection.close(4000)
    connection.scope["direct"].send(["late"])
    assert connection.sent[3:] == [Sent(CLOSE, (4000).to_bytes(2))]


async def test_direct_way_writes_what_twisted_did_not_take_after_it():
    connection = await opened("daphne")
    connection.transport.room = 10
    send = connection.scope["direct"].send
    send(["a" * 20])
    send(["b" * 20])
    whole = text_frame("a" * 20) + text_frame("b" * 20)
    assert connection.writes == [whole[:10]]
    assert connection.transport.dataBuffer == whole[10:]
    assert connection.scope["wire"].unsent() == len(whole) - 10


async def test_direct_way_answers_a_ping_between_texts_at_once(kind):
    connection = await opened(kind)
    connection.feed(frame(b"one") + frame(b"are you there", 0x89) + frame(b"two"))
    assert (connection.texts, connection.sent) == (["one", "two"], [Sent(PONG, b"are you there")])


async def test_direct_way_leaves_no_data_in_an_error_that_the_library_keeps():
    """The cause of an error holds the frames of its functions, and so what was read."""
    connection = await opened("uvicorn")
    connection.feed(frame(b"x" * (LONGEST_FRAME + 1)))
    assert connection.close_code == 1009
    error = connection.protocol.conn.parser_exc
    assert error is not None
    while error := error.__context__:
        assert not isinstance(error, direct.NotOurs)


async def test_direct_way_leaves_daphnes_pings_their_time():
    """Daphne would ping only who is silent, but a text does not show that its sender reads."""
    connection = await opened("daphne")
    connection.protocol.last_ping -= 16
    connection.feed(frame(b"I write"))
    connection.protocol.check_timeouts()
    assert [frame.opcode for frame in connection.sent] == [PING]


async def test_direct_way_is_not_taken_after_data_that_came_before_the_handshake_was_answered(kind):
    connection, module = SERVERS[kind]
    # The rest of the second message looks like a whole frame.
    inner = frame(b"inner")
    whole = frame(b"early") + frame(b"x" + inner, 0x82, mask=bytes(4))
    accepted = await connection(module.DirectProtocol).open(whole[: -len(inner)])
    accepted.feed(inner + frame(b"late"))
    assert accepted.texts == ["early", b"x" + inner, "late"]


def test_direct_way_was_tested_with_the_pinned_versions():
    constraints = (ROOT / "constraints.txt").read_text()
    pinned = dict(re.findall(r"^(\S+)==(\S+)$", constraints, re.MULTILINE))
    for tested in (daphne_protocols.TESTED, uvicorn_server.TESTED):
        assert tested == {name: pinned[name] for name in tested}
        assert is_tested(tested)


def test_direct_way_is_not_taken_with_another_version(kind, monkeypatch, caplog):
    _, module = SERVERS[kind]
    assert module.socket_protocol() is module.DirectProtocol
    monkeypatch.setattr(direct, "version", lambda name: "999")
    assert module.socket_protocol() is module.Protocol
    assert f"wire.untested: {next(iter(module.TESTED))} 999" in caplog.text


async def answered(client: Any, kind: str = "now") -> str:
    async with asyncio.timeout(PATIENCE):
        while f'"type":"{kind}"' not in (text := await client.recv()):
            pass
    return str(text)


@pytest.mark.processes
@pytest.mark.sqlite
async def test_direct_way_around_an_unknown_version_is_the_librarys(kind, tmp_path, prepared):
    """One of the server's packages says that it has another version."""
    name = {"daphne": "autobahn", "uvicorn": "websockets"}[kind]
    metadata = tmp_path / "packages" / f"{name}-999.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 999\n")
    var, more = copy_all(prepared, tmp_path), {"PYTHONPATH": str(tmp_path / "packages")}
    with Server(var, kind, forks.unforked, **more) as server:
        async with websockets.connect(f"ws://127.0.0.1:{server.port}/ws/lobby/") as client:
            await client.send(SEEN.decode())
            await answered(client)
            for _ in range(30):
                await client.send("{")
            assert [await answered(client, "error") for _ in range(10)]
            async with asyncio.timeout(PATIENCE):
                await client.wait_closed()
            assert client.close_code == 4429
    assert f"wire.untested: {name} 999" in server.log.read_text()


@pytest.mark.processes
@pytest.mark.sqlite
async def test_direct_way_and_the_librarys_take_turns(server):
    async with websockets.connect(f"ws://127.0.0.1:{server.port}/ws/lobby/") as client:
        for message in (SEEN.decode(), [SEEN[:9].decode(), SEEN[9:].decode()], SEEN.decode()):
            await client.send(message)
            await asyncio.wait_for(await client.ping(), PATIENCE)
            await answered(client)
        await client.send(b"binary")
        assert "bad_json" in await answered(client, "error")


def read_to_the_end(port: int, data: bytes) -> list[Sent]:
    """Send data in one piece and return all frames until the connection ends."""
    with shake_hands(port, "/ws/lobby/", PATIENCE) as line:
        line.sendall(data)
        got = b""
        # It is reset, since it has not been read to its end.
        with contextlib.suppress(ConnectionResetError):
            while piece := line.recv(65536):
                got += piece
    return frames_of(got.partition(b"\r\n\r\n")[2])


@pytest.mark.processes
@pytest.mark.sqlite
def test_direct_way_ends_a_flood_that_comes_in_one_read_with_its_answers_before_the_close(server):
    """Of one read only what the limits allow is answered, then the close frame says why."""
    frames = read_to_the_end(server.port, frame(SEEN) * 5000)
    answers = [sent for sent in frames if b'"type":"now"' in sent.payload]
    assert 20 <= len(answers) < 60
    assert frames[-1] == Sent(CLOSE, (4429).to_bytes(2))
    frames = read_to_the_end(server.port, frame(b"{") * 500)
    errors = [sent for sent in frames if b'"code":"bad_json"' in sent.payload]
    assert len(errors) == int(os.environ.get("BAD_FRAMES", "10"))
    assert frames[-1] == Sent(CLOSE, (4429).to_bytes(2))
