"""Bodies of requests have an end, by what is announced and by what comes."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from rpsite.bodies import LARGEST, SmallBodies
from tests.boot import PATIENCE
from tests.platform.prepared import copy_all
from tests.platform.server import Server

HUGE = 200 * 10**6
PIECE = b"x" * 65536
#: What a refused body may take away before the client learns of it: buffers of the system.
MOST_SENT = 40 * 10**6


async def ask(headers, *pieces):
    """Send a request through the middleware; return the answers and what the site has read."""
    waiting = [
        {"type": "http.request", "body": piece, "more_body": n + 1 < len(pieces)}
        for n, piece in enumerate(pieces)
    ]
    read, answers = [], []

    async def site(scope, receive, send):
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            read.append(message["body"])
            if not message["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive():
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message):
        answers.append(message)

    await SmallBodies(site)({"type": "http", "headers": headers}, receive, send)
    return answers[0]["status"], b"".join(read)


async def test_hostile_66_a_body_of_one_megabyte_is_passed_on():
    half = b"x" * (LARGEST // 2)
    assert await ask([(b"content-length", str(LARGEST).encode())], half, half) == (200, 2 * half)


@pytest.mark.parametrize("length", [LARGEST + 1, HUGE, 10**400])
async def test_hostile_66_an_announced_length_is_refused_before_anything_is_read(length):
    assert await ask([(b"content-length", str(length).encode())], b"x", b"y") == (413, b"")


async def test_hostile_66_what_was_not_announced_is_refused_when_it_is_too_much():
    half = b"x" * (LARGEST // 2)
    assert await ask([], half, half, b"y", b"z") == (413, 2 * half)


@pytest.fixture(scope="module", params=["daphne", "uvicorn"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> Iterator[Server]:
    with Server(
        copy_all(prepared, tmp_path_factory.mktemp(request.param)), request.param
    ) as running:
        yield running


def send_all(port: int, header: str, piece: bytes, times: int) -> tuple[bytes, int]:
    """Send a body until it is refused; return the answer and the number of sent bytes."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(
            f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n\r\n".encode()
        )
        sent, answer = 0, b""
        line.settimeout(0)
        for _ in range(times):
            try:
                answer += line.recv(4096)
            except BlockingIOError:
                pass
            except ConnectionError:
                break
            if answer:
                break
            line.settimeout(PATIENCE)
            try:
                line.sendall(piece)
            except ConnectionError:
                break
            line.settimeout(0)
            sent += len(piece)
        line.settimeout(PATIENCE)
        return answer or line.recv(4096), sent


@pytest.mark.processes
@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("header", "piece"),
    [
        (f"Content-Length: {HUGE}", PIECE),
        ("Transfer-Encoding: chunked", b"10000\r\n" + PIECE + b"\r\n"),
    ],
    ids=["announced", "chunked"],
)
def test_hostile_66_a_huge_body_gets_413_while_it_comes(server, header, piece):
    answer, sent = send_all(server.port, header, piece, HUGE // len(PIECE))
    assert answer.startswith(b"HTTP/1.1 413")
    assert sent < MOST_SENT


@pytest.mark.processes
@pytest.mark.sqlite
def test_hostile_66_a_form_is_answered_as_ever(server):
    answer, _ = send_all(server.port, "Content-Length: 3", b"a=b", 1)
    assert answer.startswith(b"HTTP/1.1 403"), "it has no token"
