import asyncio
import contextlib
import http.server
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from rpsite.processes.signs import start_token
from tests.platform.site import free_pairs
from tools import rolling
from tools.rolling import Roll, RollFailed, other_port, ports_in, upstreams


class Fleet:
    def __init__(self, file: Path, old: Sequence[int]) -> None:
        self.file, self.old = file, list(old)
        self.told: list[str] = []
        self.status = 200
        self.said = "X-Process: web\r\nX-Start: ours\r\n"
        self.start_token: str | None = "ours"
        self.has_migrated = True
        self.until_drained: Callable[[], Awaitable[object]] = partial(asyncio.sleep, 0)
        self._servers: dict[int, asyncio.Server] = {}

    async def prepare(self) -> None:
        self.told.append("prepare")
        if not self.has_migrated:
            raise RollFailed("a later version has migrated it")

    async def start(self, ports: Sequence[int]) -> None:
        self.told.append(f"start {self._named(ports)}")
        for port in ports:
            self._servers[port] = await asyncio.start_server(self._answer, "127.0.0.1", port)

    def starts(self, ports: Sequence[int]) -> list[str | None]:
        return [self.start_token for _ in ports]

    async def stop(self, ports: Sequence[int]) -> None:
        self.told.append(f"stop {self._named(ports)}")
        await self.until_drained()
        for port in ports:
            if port in self._servers:
                self._servers.pop(port).close()

    async def reload_proxy(self) -> None:
        self.told.append(f"proxy to {self._named(ports_in(self.file))}")

    async def restart_others(self) -> None:
        self.told.append("restart others")

    def _named(self, ports: Sequence[int]) -> str:
        new = [other_port(port) for port in self.old]
        return {tuple(self.old): "old", tuple(new): "new"}[tuple(ports)]

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert request.startswith("GET /healthz ")
        assert "Host: play.example\r\n" in request
        writer.write(f"HTTP/1.1 {self.status} -\r\n{self.said}\r\n".encode())
        await writer.drain()
        writer.close()


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Shorten the pauses, which say nothing about the order of the steps."""
    for name, pause in (("LOOK", 0.05), ("START_LIMIT", 0.2), ("PROXY_LAG", 0.0)):
        monkeypatch.setattr(rolling, name, pause)


@pytest.fixture
def fleet(tmp_path):
    first = free_pairs(2)
    file = tmp_path / "upstreams.conf"
    file.write_text(upstreams([first, first + 1]))
    return Fleet(file, [first, first + 1])


def roll(fleet: Fleet) -> Roll:
    return Roll(fleet, fleet.file, "play.example", print)


async def test_rolling_starts_switches_and_then_drains_the_old_ones(fleet):
    await roll(fleet).run(0.1)
    assert fleet.told == ["prepare", "start new", "proxy to new", "stop old", "restart others"]
    assert ports_in(fleet.file) == [port + 100 for port in fleet.old]
    assert "hash $place;" in fleet.file.read_text()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("has_migrated", False), ("status", 503), ("said", ""), ("start_token", None),
        ("said", "X-Process: web\r\nX-Start: another\r\n"),
        ("said", "X-Process: cook\r\nX-Start: ours\r\n"),
    ],
    ids=["no migration", "ill", "foreign", "ended", "another start", "another kind"],
)  # fmt: skip
async def test_rolling_gives_back_where_its_own_new_processes_do_not_answer(fleet, name, value):
    """None is started if the migration fails."""
    setattr(fleet, name, value)
    with pytest.raises(RollFailed):
        await roll(fleet).run(0.1)
    begun = ["start new", "proxy to old", "stop new"] if fleet.has_migrated else []
    assert (fleet.told, ports_in(fleet.file)) == (["prepare", *begun], fleet.old)


async def test_rolling_changes_nothing_where_a_new_port_is_in_use(fleet):
    before = fleet.file.read_text()
    with listening(other_port(fleet.old[1])), pytest.raises(RollFailed, match="is in use"):
        await roll(fleet).run(0.1)
    assert (fleet.told, fleet.file.read_text()) == ([], before)


async def test_rolling_changes_its_own_servers_only(fleet):
    first, second = fleet.old
    text = f"""# server 127.0.0.1:{first}; as it was
upstream web {{
    server 127.0.0.1:{first} weight=2; # 127.0.0.1:{first}
    server 203.0.113.2:{first};
    server  127.0.0.1:{second};
}}
upstream other {{ server 127.0.0.1:{second} backup; }}
"""
    fleet.file.write_text(text)
    await roll(fleet).run(0.1)
    moved = fleet.file.read_text()
    assert moved.splitlines()[0] == text.splitlines()[0]
    assert f"    server 127.0.0.1:{first + 100} weight=2; # 127.0.0.1:{first}\n" in moved
    assert f"    server 203.0.113.2:{first};\n    server  127.0.0.1:{second + 100};\n" in moved
    assert moved.endswith(f"upstream other {{ server 127.0.0.1:{second + 100} backup; }}\n")
    fleet.old, fleet.told = [port + 100 for port in fleet.old], []
    await roll(fleet).run(0.1, has_migration=False)
    assert fleet.file.read_text() == text
    assert fleet.told[0] == "start new", "going back does not migrate"
    fleet.file.write_text("upstream web { server 203.0.113.2:8001; }")
    with pytest.raises(RollFailed, match="names no server"):
        roll(fleet)


@pytest.mark.parametrize("is_told_to_end", [False, True])
async def test_rolling_gives_back_when_new_processes_do_not_stay_well_or_it_is_told_to_end(
    fleet, is_told_to_end
):
    rolls = asyncio.create_task(roll(fleet).run(60))
    await _until_told(fleet, "proxy to new")
    if is_told_to_end:
        rolls.cancel()
    else:
        fleet.status = 503
    with pytest.raises(asyncio.CancelledError if is_told_to_end else RollFailed):
        await rolls
    assert (fleet.told[-2:], ports_in(fleet.file)) == (["proxy to old", "stop new"], fleet.old)


async def test_rolling_finishes_once_the_old_ones_drain(fleet, capsys):
    may_end = asyncio.Event()
    fleet.until_drained = may_end.wait
    rolls = asyncio.create_task(roll(fleet).run(0.1))
    await _until_told(fleet, "stop old")
    rolls.cancel()
    await asyncio.sleep(0)
    may_end.set()
    await rolls
    assert fleet.told[-2:] == ["stop old", "restart others"]
    assert "too late" in capsys.readouterr().out


async def _until_told(fleet: Fleet, what: str) -> None:
    async with asyncio.timeout(10):
        while what not in fleet.told:  # noqa: ASYNC110 - a test's look
            await asyncio.sleep(0.01)


#: What systemd calls the start of a unit.
START = "0f" * 16
PROGRAM = """#!/bin/sh
case "$*" in
    show*) printf 'InvocationID=%s\\nActiveState=active\\n' {start}; exit 0;;
esac
echo "$(basename "$0") $*" >> "{log}"
case "$*" in {refused}) exit 1;; esac
"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("X-Process", "web")
        self.send_header("X-Start", start_token(START))
        self.end_headers()

    def log_message(self, *words: object) -> None: ...


@contextlib.contextmanager
def listening(port: int):
    """Answer 200 on a port, as a unit of systemd does."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


def deployed(machine: Path, first: int, refused: str = "nothing") -> tuple[int, list[str]]:
    """Deploy where systemctl and nginx note how they are called, and refuse some words."""
    log, file = machine / "calls", machine / "upstreams.conf"
    for name in ("systemctl", "nginx"):
        program = machine / name
        program.write_text(PROGRAM.format(log=log, refused=f'"{refused}"', start=START))
        program.chmod(0o755)
    file.write_text(upstreams([first]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{machine}:{os.environ['PATH']}")
        code = rolling.main(["--upstreams", str(file), "--side-by-side", "0.1"])
    return code, log.read_text().splitlines()


def test_rolling_tells_systemd_and_nginx_what_to_do(tmp_path, monkeypatch):
    first, start = free_pairs(1), rolling.Units.start
    with contextlib.ExitStack() as running:

        async def start_and_listen(units: rolling.Units, ports: Sequence[int]) -> None:
            await start(units, ports)
            running.enter_context(listening(*ports))

        monkeypatch.setattr(rolling.Units, "start", start_and_listen)
        code, calls = deployed(tmp_path, first)
    assert code == 0
    assert calls == [
        "systemctl start migrate.service",
        f"systemctl enable --now web@{other_port(first)}.service",
        "nginx -t -q",
        "systemctl reload nginx.service",
        f"systemctl disable --now web@{first}.service",
        "systemctl restart worker@* beat.service",
    ]


def test_rolling_ends_with_1_where_the_migration_is_refused(tmp_path, capsys):
    code, calls = deployed(tmp_path, free_pairs(1), "start migrate.service")
    assert (code, len(calls)) == (1, 1)
    assert capsys.readouterr().out.splitlines()[-1].startswith("failed: systemctl start")


def test_file_of_upstreams_is_what_a_deployment_writes():
    shipped = (Path(rolling.__file__).parents[1] / "deploy/nginx/upstreams.conf").read_text()
    ports = [8001, 8002]
    lines, made = (
        [line for line in text.splitlines() if "#" not in line]
        for text in (shipped, upstreams(ports))
    )
    assert (lines, [other_port(port) for port in ports]) == (made, [8101, 8102])
