"""The steps of a rolling deployment, with pages that answer in place of web processes."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from rpsite.processes import rolling
from rpsite.processes.rolling import Roll, RollFailed, other_port, ports_in, upstreams
from rpsite.processes.start import start_token
from tests.platform.site import free_pairs


class Fleet:
    """Notes what it is told; each port answers with a status once it is started."""

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
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses, which say nothing about the order of the steps."""
    for name, pause in (("LOOK", 0.05), ("START_LIMIT", 0.2), ("PROXY_LAG", 0.0)):
        monkeypatch.setattr(rolling, name, pause)


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
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


async def test_rolling_back_does_not_migrate(fleet):
    await roll(fleet).run(0.1, has_migration=False)
    assert fleet.told[0] == "start new"


async def test_rolling_stops_where_the_migration_fails(fleet):
    fleet.has_migrated = False
    with pytest.raises(RollFailed):
        await roll(fleet).run(0.1)
    assert fleet.told == ["prepare"]
    assert ports_in(fleet.file) == fleet.old


@pytest.mark.parametrize(
    "differs",
    [
        {"status": 503}, {"said": ""}, {"said": "X-Process: web\r\nX-Start: another\r\n"},
        {"said": "X-Process: cook\r\nX-Start: ours\r\n"}, {"start_token": None},
    ],
    ids=["ill", "foreign", "another start", "another kind", "ended"],
)  # fmt: skip
async def test_rolling_gives_back_where_its_own_new_processes_do_not_answer(fleet, differs):
    for name, value in differs.items():
        setattr(fleet, name, value)
    with pytest.raises(RollFailed):
        await roll(fleet).run(0.1)
    assert fleet.told == ["prepare", "start new", "proxy to old", "stop new"]


async def test_rolling_changes_nothing_where_a_new_port_is_in_use(fleet):
    before = fleet.file.read_text()
    with listening([other_port(fleet.old[1])]), pytest.raises(RollFailed, match="is in use"):
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
    fleet.old = [port + 100 for port in fleet.old]
    await roll(fleet).run(0.1, has_migration=False)
    assert fleet.file.read_text() == text


def test_rolling_refuses_a_file_without_servers_of_this_machine(fleet):
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
    assert fleet.told[-2:] == ["proxy to old", "stop new"]
    assert ports_in(fleet.file) == fleet.old


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


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose systemctl and nginx only note how they are called; one of them may refuse."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    install(tmp_path, "nothing")
    return tmp_path


def install(directory: Path, refused: str) -> None:
    """Write both programs; calls with these words end with 1."""
    for name in ("systemctl", "nginx"):
        program = directory / name
        program.write_text(
            PROGRAM.format(log=directory / "calls", refused=f'"{refused}"', start=START)
        )
        program.chmod(0o755)


@contextlib.contextmanager
def listening(ports: Sequence[int]):
    """Answer 200 on ports, as the units of systemd do."""
    import http.server
    import threading

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("X-Process", "web")
            self.send_header("X-Start", start_token(START))
            self.end_headers()

        def log_message(self, *words: object) -> None: ...

    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", port), Page) for port in ports]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def deploy(machine: Path, first: int, *more: str) -> tuple[int, list[str]]:
    """Run the deployment of a machine with units; return its exit code and the calls."""
    file = machine / "upstreams.conf"
    file.write_text(upstreams([first]))
    code = rolling.main(["--upstreams", str(file), "--side-by-side", "0.1", *more])
    return code, (machine / "calls").read_text().splitlines()


def test_rolling_tells_systemd_and_nginx_what_to_do(machine, monkeypatch):
    first = free_pairs(1)
    with contextlib.ExitStack() as running:
        start = rolling.Units.start

        async def start_and_listen(units: rolling.Units, ports: Sequence[int]) -> None:
            await start(units, ports)
            running.enter_context(listening(ports))

        monkeypatch.setattr(rolling.Units, "start", start_and_listen)
        code, calls = deploy(machine, first)
    assert code == 0
    assert calls == [
        "systemctl start migrate.service",
        f"systemctl enable --now web@{other_port(first)}.service",
        "nginx -t -q",
        "systemctl reload nginx.service",
        f"systemctl disable --now web@{first}.service",
        "systemctl restart worker@* beat.service",
    ]


def test_rolling_ends_with_1_where_the_migration_is_refused(machine, capsys):
    install(machine, "start migrate.service")
    code, calls = deploy(machine, free_pairs(1))
    assert (code, len(calls)) == (1, 1)
    assert capsys.readouterr().out.splitlines()[-1].startswith("failed: systemctl start")


def test_file_of_upstreams_is_what_a_deployment_writes():
    shipped = (Path(rolling.__file__).parents[2] / "deploy/nginx/upstreams.conf").read_text()
    ports = [8001, 8002]
    assert [line for line in shipped.splitlines() if "#" not in line] == [
        line for line in upstreams(ports).splitlines() if "#" not in line
    ]
    assert [other_port(port) for port in ports] == [8101, 8102]
