"""The web process: what its server refuses, and how it ends."""

import asyncio
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets

from tests.boot import PATIENCE, ROOT
from tests.platform.prepared import copy_all
from tests.platform.site import Site, alive, environment, free_port

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Path) -> Iterator[Site]:
    with Site(copy_all(prepared, tmp_path_factory.mktemp("web"))) as running:
        yield running


@pytest.fixture
def lobby(site: Site) -> str:
    return f"ws://127.0.0.1:{site.port}/ws/lobby/"


def ask(site: Site, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def test_answers_say_neither_server_nor_more_than_they_must_and_no_foreign_host_any(site):
    answer = ask(site, "/")
    assert answer.status == 200
    assert answer.headers["Server"] is None
    policy = answer.headers["Content-Security-Policy"]
    for directive in (
        "default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
        "script-src 'self' 'nonce-", "connect-src 'self'",
    ):  # fmt: skip
        assert directive in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert ask(site, "/", Host="evil.example").status == 400


def test_static_files_are_kept_for_ever_by_browsers(site):
    page = ask(site, "/").read().decode()
    path = next(part for part in page.split('"') if part.startswith("/static/css/"))
    answer = ask(site, path, **{"Accept-Encoding": "gzip"})
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Content-Encoding"] == "gzip"


async def test_sigterm_closes_sockets_with_4412_and_the_next_process_serves(site, lobby):
    web = site.pid_of("web")
    async with websockets.connect(lobby) as client:
        await client.recv()
        os.kill(web, signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        assert client.close_code == 4412
    # Its watchdog, which is for an end that takes five seconds, would have made it 1.
    ended = "has ended with exit code 0; starting it again"
    await asyncio.to_thread(site.wait_for_line, lambda line: ended in line)
    assert alive([web]) == []
    assert await asyncio.to_thread(site.get, "/healthz") == (200, b"ok")


def test_a_web_process_of_its_own_needs_no_redis(site):
    """On a port of its own, beside the site, with a Redis that does not exist."""
    port = free_port()
    variables = environment(site.var, REDIS_URL="redis://127.0.0.1:1")
    with subprocess.Popen(
        [sys.executable, "manage.py", "web", "--port", str(port)],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        until = time.monotonic() + 2 * PATIENCE
        while not _is_open(port):
            assert time.monotonic() < until
            time.sleep(0.1)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        process.terminate()
        assert process.wait(PATIENCE) == 0


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_busy_port_is_one_line(site):
    refused = subprocess.run(
        [sys.executable, "manage.py", "web", "--port", str(site.port)],
        cwd=ROOT,
        env=environment(site.var),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "Address already in use" in refused.stderr


@pytest.mark.fault_profile
def test_requests_under_way_are_answered_when_the_process_is_told_to_end(site):
    answers: list[int] = []

    def ask() -> None:
        answers.extend(site.get("/rules/showdown/")[0] for _ in range(40))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    while len(answers) < 6:
        time.sleep(0.01)
    os.kill(site.pid_of("web"), signal.SIGTERM)
    for thread in threads:
        thread.join(PATIENCE)
    assert answers == [200] * 120
