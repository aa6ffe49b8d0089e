"""A client that writes all the time and never reads is closed; the process does not grow."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.boot import PATIENCE
from tests.platform.prepared import copy_all
from tests.platform.raw_socket import frame, shake_hands
from tests.platform.server import Server

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]

#: Frames that are asked for an answer at once, and how often at most: 100 MB of answers.
FRAMES, TIMES = 2000, 700
GROWTH = 48 * 2**20
LIMITS = {"SOCKET_RATE": "100000000", "SOCKET_BURST": "100000000"}


@pytest.fixture(params=["daphne", "uvicorn"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, prepared: Path
) -> Iterator[Server]:
    var = copy_all(prepared, tmp_path_factory.mktemp(request.param))
    with Server(var, request.param, **LIMITS) as running:
        yield running


def send_often(line: socket.socket, text: bytes) -> None:
    for _ in range(TIMES):
        line.sendall(text)


def resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.fault_profile
def test_who_writes_and_never_reads_is_ended_and_the_process_does_not_grow(server):
    before = resident_bytes(server.process.pid)
    line = shake_hands(server.port, "/ws/lobby/", PATIENCE)
    many = frame(b'{"type":"seen","revision":1}') * FRAMES
    with pytest.raises(ConnectionError):
        send_often(line, many)
    line.close()
    assert resident_bytes(server.process.pid) - before < GROWTH
    assert "ws.unread" in server.log.read_text()
