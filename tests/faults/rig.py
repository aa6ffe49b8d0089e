"""A site of real processes in its own directory, with its own database and Valkey."""

import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest

from tests.boot import PATIENCE, POSTGRESQL, ROOT
from tests.platform import forks
from tests.platform.prepared import administer, copy_databases, database_url, prepared_database
from tests.platform.site import free_port
from tools.temporary_valkey import TemporaryValkey

START_LIMIT = 2 * PATIENCE
#: What no log may ever say.
ALARMS = re.compile(r"Traceback|\bERROR\b|\bCRITICAL\b|database is locked|IntegrityError")
_STRANGE = ("REDIS_URL", "DATABASE_URL", "SITE_HOSTS", "SITE_RUNNER", "HINT_BUS_URL")


def variables(var: Path, database: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _STRANGE}
    return kept | {
        "SITE_VAR": str(var),
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "SECRET_KEY": "not a secret: this site ends with its test",
    }


def manage(environment: dict[str, str], *arguments: str) -> str:
    done = forks.run("manage.py", *arguments, env=environment)
    assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
    return done.stdout


class Template(NamedTuple):
    """A migrated database and collected files, to copy; ``database`` is its name on PostgreSQL."""

    directory: Path
    database: str | None

    @classmethod
    def of(cls, config: pytest.Config, prepared: Path, factory: pytest.TempPathFactory) -> Self:
        is_on_postgresql = config.getoption("database") == POSTGRESQL
        return cls(prepared, prepared_database(factory) if is_on_postgresql else None)

    def copy(self, var: Path) -> str:
        (var / "static").symlink_to(self.directory / "static")
        if self.database is not None:
            name = f"faults_{secrets.token_hex(4)}"
            administer(f"CREATE DATABASE {name} TEMPLATE {self.database}")
            return database_url(name)
        copy_databases(self.directory, var)
        return f"sqlite:///{var / 'site.sqlite3'}"


class Valkey(TemporaryValkey):
    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self._process.wait(PATIENCE)


Started = subprocess.Popen[bytes] | forks.Forked


def start_command(
    log: Path, environment: dict[str, str], *command: str, is_forking: bool = False
) -> Started:
    """Start a Python command, or fork a process that does the same sooner."""
    with log.open("ab") as file:
        given: Any = {"env": environment, "stdin": subprocess.DEVNULL, "stdout": file}
        given |= {"stderr": file, "start_new_session": True}
        if is_forking:
            return forks.Forked(*command, **given)
        return subprocess.Popen([sys.executable, *command], cwd=ROOT, **given)


class Process:
    """One process of the site; what it says goes to ``log``."""

    def __init__(self, log: Path, popen: Started) -> None:
        self.log, self.popen, self.pid = log, popen, popen.pid

    @property
    def is_alive(self) -> bool:
        return self.popen.poll() is None

    def send(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        self.popen.wait(PATIENCE)

    def end(self, limit: float = PATIENCE) -> float:
        """Ask it to end; return the seconds.  A late web process ends with 1, by its watchdog."""
        begun = time.monotonic()
        self.send(signal.SIGTERM)
        try:
            self.popen.wait(limit)
        finally:
            self.send(signal.SIGKILL)
        return time.monotonic() - begun

    def resident_bytes(self) -> int:
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def processor_seconds(self) -> float:
        values = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")


class Web(Process):
    def __init__(self, log: Path, popen: Started, port: int) -> None:
        super().__init__(log, popen)
        self.port, self.address = port, f"127.0.0.1:{port}"

    def wait_until_ready(self) -> None:
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until and self.is_alive:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://{self.address}/healthz", timeout=5).close()
                return
            time.sleep(0.05)
        raise AssertionError(f"the web process does not answer:\n{self.log.read_text()}")


class Hand:
    """A process beside the site with the same database; see ``tests.faults.hand``."""

    def __init__(self, log: Path, environment: dict[str, str]) -> None:
        self._log, self._environment = log, environment
        self._turn = threading.Lock()
        self._start()

    def _start(self) -> None:
        with self._log.open("ab") as file:
            given: Any = {"env": self._environment, "stderr": file}
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self._process = forks.Forked("-m", "tests.faults.hand", **given, **pipes)

    def __call__(self, name: str, **given: Any) -> Any:
        with self._turn:
            self._process.stdin.write(json.dumps([name, given]) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
            if not line:
                # One failed call must not fail all later tests of a site that they share.
                self.close()
                self._start()
        assert line, f"the hand could not {name}:\n{self._log.read_text()}"
        return json.loads(line)

    def close(self) -> None:
        self._process.kill()
        with self._process:
            pass


class Rig:
    """A site of real processes, ended with its ``with``; forked copies only if ``is_forking``."""

    server = "daphne"

    def __init__(
        self, var: Path, template: Template, *, is_forking: bool = False, **more: str
    ) -> None:
        self.var = var
        self._start_command = partial(start_command, is_forking=is_forking)
        self.database = template.copy(var)
        self.is_on_postgresql = template.database is not None
        self.valkey = Valkey(var)
        self.environment = variables(var, self.database) | {"REDIS_URL": self.valkey.url} | more
        self.processes: list[Process] = []
        self.hand: Hand
        self._side: list[Hand] = []

    def __enter__(self) -> Self:
        self.valkey.start()
        self.hand = self.another_hand()
        return self

    def __exit__(self, *problem: object) -> None:
        for process in self.processes:
            process.send(signal.SIGCONT)
            process.kill()
        for hand in self._side:
            hand.close()
        with contextlib.suppress(Exception):
            self.valkey.send(signal.SIGCONT)
            self.valkey.stop()
        if self.is_on_postgresql:
            administer(f"DROP DATABASE {self.database.rpartition('/')[2]} WITH (FORCE)")
        # pytest shows it with a failure.
        print(self.said())

    def another_hand(self) -> Hand:
        hand = Hand(self.var / f"hand-{len(self._side)}.log", self.environment)
        self._side.append(hand)
        return hand

    def start_web(self, port: int | None = None) -> Web:
        log = self.var / f"web-{len(self.processes)}.log"
        port = port or free_port()
        words = ("manage.py", "web", "--port", str(port), "--server", self.server)
        web = Web(log, self._start_command(log, self.environment, *words), port)
        self.processes.append(web)
        return web

    def web(self, port: int | None = None) -> Web:
        web = self.start_web(port)
        web.wait_until_ready()
        return web

    def webs(self, number: int = 2) -> list[Web]:
        webs = [self.start_web() for _ in range(number)]
        for web in webs:
            web.wait_until_ready()
        return webs

    def people(self, number: int) -> list[dict[str, Any]]:
        return self.hand("people", names=[f"player{n}" for n in range(number)])

    def celery(self, *arguments: str) -> Process:
        log = self.var / f"celery-{len(self.processes)}.log"
        command = ("-m", "celery", "-A", "rpsite.celery:application", "--quiet", *arguments)
        process = Process(log, self._start_command(log, self.environment, *command))
        self.processes.append(process)
        return process

    def manage(self, *arguments: str, **more: str) -> str:
        return manage(self.environment | more, *arguments)

    def call_off(self, public_id: str) -> None:
        self.manage("void_match", public_id, "--reason", "the end of a test")

    def said(self) -> str:
        logs = sorted(self.var.glob("*.log"))
        return "\n".join(f"== {log.name}\n{log.read_text(errors='replace')}" for log in logs)

    def alarms(self) -> list[str]:
        """Return the lines of the logs that nobody should ever read."""
        return [line for line in self.said().splitlines() if ALARMS.search(line)]

    def prove(self) -> None:
        """Show that the books are right and that every match replays to what is stored."""
        self.hand("command", words=["audit_ledger", "--whole"])
        said = self.hand("command", words=["replay_match"])
        assert "replayed to the same bytes" in said

    def prove_calm(self) -> None:
        """Show this, and that no process has said what nobody should ever read."""
        self.prove()
        assert self.alarms() == []


@contextlib.contextmanager
def sweeping(hand: Hand, pause: float = 1.0) -> Iterator[None]:
    done = threading.Event()

    def work() -> None:
        while not done.wait(pause):
            hand("sweep")

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
