import contextlib
import socket

import pytest

from rpsite.input import LARGEST, SmallBodies
from tests.boot import PATIENCE

HUGE = 200 * 10**6
PIECE = b"x" * 65536
HALF = b"x" * (LARGEST // 2)
#: What a refused body may take away before the client learns of it: buffers of the system.
MOST_SENT = 40 * 10**6


@pytest.mark.parametrize(
    ("announced", "pieces", "status", "passed_on"),
    [
        (LARGEST, [HALF, HALF], 200, 2 * HALF),
        (LARGEST + 1, [b"x", b"y"], 413, b""),
        (HUGE, [b"x", b"y"], 413, b""),
        (10**400, [b"x", b"y"], 413, b""),
        (None, [HALF, HALF, b"y", b"z"], 413, 2 * HALF),
    ],
    ids=["a megabyte", "more", "huge", "endless", "not announced"],
)
async def test_hostile_66_a_body_of_one_megabyte_is_passed_on(announced, pieces, status, passed_on):
    """A longer one is refused, and before anything is read where it was announced."""
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting[-1]["more_body"] = False
    headers = [] if announced is None else [(b"content-length", str(announced).encode())]
    read, answers = [], []

    async def site(scope, receive, send):
        is_more = True
        while is_more and (message := await receive())["type"] == "http.request":
            read.append(message["body"])
            is_more = message["more_body"]
        if not is_more:
            await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive():
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message):
        answers.append(message)

    await SmallBodies(site)({"type": "http", "headers": headers}, receive, send)
    assert (answers[0]["status"], b"".join(read)) == (status, passed_on)


def send_all(port: int, header: str, piece: bytes, times: int) -> tuple[bytes, int]:
    """Send a body until it is refused; return the answer and the number of sent bytes."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        head = f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{header}\r\n\r\n"
        line.sendall(head.encode())
        sent, answer = 0, b""
        with contextlib.suppress(ConnectionError):
            for _ in range(times):
                line.settimeout(0)
                with contextlib.suppress(BlockingIOError):
                    answer = line.recv(4096)
                line.settimeout(PATIENCE)
                if answer:
                    break
                line.sendall(piece)
                sent += len(piece)
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
    answer, _ = send_all(server.port, "Content-Length: 3", b"a=b", 1)
    assert answer.startswith(b"HTTP/1.1 403"), "a form is answered as ever: it has no token"
