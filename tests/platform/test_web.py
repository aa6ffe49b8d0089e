import asyncio
import http.client
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import websockets

from tests.boot import PATIENCE
from tests.platform import forks
from tests.platform.prepared import copy_all
from tests.platform.site import Site, alive, environment

pytestmark = [pytest.mark.processes, pytest.mark.sqlite]


@pytest.fixture(scope="module")
def site(tmp_path_factory, prepared):
    with Site(copy_all(prepared, tmp_path_factory.mktemp("web"))) as running:
        yield running


def ask(site: Site, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def test_answers_say_neither_server_nor_more_than_they_must_and_no_foreign_host_any(site):
    answer = ask(site, "/")
    assert answer.status == 200
    assert answer.headers["Server"] is None
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert ask(site, "/", Host="evil.example").status == 400


def test_static_files_are_kept_for_ever_by_browsers(site):
    page = ask(site, "/").read().decode()
    path = next(part for part in page.split('"') if part.startswith("/static/css/"))
    answer = ask(site, path, **{"Accept-Encoding": "gzip"})
    assert answer.status == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Content-Encoding"] == "gzip"


async def test_sigterm_closes_sockets_with_4412_and_the_next_process_serves(site):
    web = site.pid_of("web")
    async with websockets.connect(f"ws://127.0.0.1:{site.port}/ws/lobby/") as client:
        await client.recv()
        os.kill(web, signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        assert client.close_code == 4412
    # Its watchdog, which is for an end that takes five seconds, would have made it 1.
    ended = "has ended with exit code 0; starting it again"
    await asyncio.to_thread(site.wait_for_line, ended)
    assert alive([web]) == []
    assert await asyncio.to_thread(site.get, "/healthz") == (200, b"ok")


def test_a_busy_port_is_one_line(site):
    words = ("manage.py", "web", "--port", str(site.port))
    refused = forks.plain(*words, env=environment(site.var))
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "Address already in use" in refused.stderr


@pytest.mark.fault_profile
def test_requests_under_way_are_answered_when_the_process_is_told_to_end(site):
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(site.get, "/rules/showdown/") for _ in range(120)]
        while sum(each.done() for each in asked) < 6:
            time.sleep(0.01)
        os.kill(site.pid_of("web"), signal.SIGTERM)
    assert [each.result()[0] for each in asked] == [200] * 120
