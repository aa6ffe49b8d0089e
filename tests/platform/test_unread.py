import os
from pathlib import Path

import pytest

from tests.boot import PATIENCE
from tests.platform.prepared import copy_all
from tests.platform.raw_socket import frame, shake_hands
from tests.platform.server import Server

#: Frames that are asked for an answer at once, and how often at most: 100 MB of answers.
FRAMES, TIMES = 2000, 700
GROWTH = 48 * 2**20
LIMITS = {"SOCKET_RATE": "100000000", "SOCKET_BURST": "100000000"}


def resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.processes
@pytest.mark.sqlite
@pytest.mark.fault_profile
@pytest.mark.parametrize("kind", ["daphne", "uvicorn"])
def test_who_writes_and_never_reads_is_ended_and_the_process_does_not_grow(
    kind, tmp_path, prepared
):
    with Server(copy_all(prepared, tmp_path), kind, **LIMITS) as server:
        before = resident_bytes(server.process.pid)
        many = frame(b'{"type":"seen","revision":1}') * FRAMES
        line = shake_hands(server.port, "/ws/lobby/", PATIENCE)
        with line, pytest.raises(ConnectionError):
            [line.sendall(many) for _ in range(TIMES)]
        assert resident_bytes(server.process.pid) - before < GROWTH
        assert "ws.unread" in server.log.read_text()
