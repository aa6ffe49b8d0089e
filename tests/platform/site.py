"""The site's real processes, for tests: ``manage.py up`` in a directory of its own."""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from tests.boot import PATIENCE, ROOT
from tools.rolling import DISTANCE

START_LIMIT = 2 * PATIENCE
COMPLETE = 6
#: Sockets that hold the ports of this process's tests; nobody listens on them.
_held: list[socket.socket] = []


def free_port() -> int:
    """Return a port that nobody else gets: it stays bound, which a server that reuses may share."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    port = int(holder.getsockname()[1])
    if sys.platform == "linux":
        _held.append(holder)
    else:
        holder.close()
    return port


def free_pairs(count: int) -> int:
    """Return the first of ``count`` free ports in a row with free pairs, below the system's own."""
    for step in range(60):
        first = 20_000 + (os.getpid() + step) % 60 * 2 * DISTANCE + 1
        if all(_is_free(first + n + other) for n in range(count) for other in (0, DISTANCE)):
            return first
    raise AssertionError("there are no free ports")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False


def wait_until_open(port: int, process: Any, log: Path) -> None:
    """Wait until a process listens on a port; ``log`` is what it says."""
    until = time.monotonic() + START_LIMIT
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        except OSError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)


def environment(var: Path, **more: str) -> dict[str, str]:
    """Return the environment of a bare checkout: none of what the tests have set."""
    strange = ("REDIS_URL", "DATABASE_URL", "DJANGO_SETTINGS_MODULE", "SITE_HOSTS", "SECRET_KEY")
    kept = {name: value for name, value in os.environ.items() if name not in strange}
    return kept | {"SITE_VAR": str(var)} | more


class Site:
    """A running site.  ``lines`` is all that its runner has printed."""

    #: What starts it.
    words: Sequence[str] = (sys.executable, "manage.py", "up")

    def __init__(self, var: Path, *, port: int | None = None, **more: str) -> None:
        self.var = var
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        #: Seconds until it answered, by which other times of this machine can be judged.
        self.start_took = 0.0
        #: New lines with their ends; at last an empty text.
        self._new: queue.Queue[str] = queue.Queue()
        self.process = subprocess.Popen(
            [*self.words, "--port", str(self.port)],
            cwd=ROOT,
            env=environment(var, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        begun = time.monotonic()
        try:
            self.wait_for_line("is at http://", START_LIMIT)
        except BaseException:
            self.close()
            raise
        self.start_took = time.monotonic() - begun
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(2 * PATIENCE)

    def close(self) -> None:
        """Kill the site and all its processes: a regular stop would take seconds."""
        for pid in [self.process.pid, *self.pids()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def wait_for_line(self, words: str, limit: float = PATIENCE) -> None:
        """Wait for the next line with these words; if none comes, say all that came."""
        until = time.monotonic() + limit
        with contextlib.suppress(queue.Empty):
            while line := self._new.get(timeout=max(0, until - time.monotonic())):
                if words in line:
                    return
        raise AssertionError("the line did not come; what came:\n" + "\n".join(self.lines))

    def get(self, path: str, timeout: float = PATIENCE) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(self.url + path, timeout=timeout) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as problem:
            return problem.code, problem.read()

    def pids(self) -> list[int]:
        return [running.pid for running in below(self.process.pid)]

    def wait_until_complete(self) -> list[int]:
        """Wait for all of Valkey, beat, web, worker and its two; return their numbers."""
        until = time.monotonic() + START_LIMIT
        while len(pids := self.pids()) < COMPLETE:
            assert time.monotonic() < until, self.lines
            time.sleep(0.1)
        return pids

    def children(self, word: str) -> list[int]:
        return [
            each.pid
            for each in processes()
            if each.parent == self.process.pid and word in each.command.replace("/", " ").split()
        ]

    def pid_of(self, word: str) -> int:
        (found,) = self.children(word)
        return found

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.append(line.rstrip())
            self._new.put(line)
        self._new.put("")


class Running(NamedTuple):
    """A process of this machine; a zombie has ended and waits to be noticed."""

    pid: int
    parent: int
    is_zombie: bool
    command: str


def processes() -> Iterator[Running]:
    """Return all processes of this machine: from /proc, because a bare Debian has no ps."""
    for directory in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # The name in brackets may hold anything; what follows it may not.
            state, parent = (directory / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (directory / "cmdline").read_text().replace("\0", " ")
            yield Running(int(directory.name), int(parent), state == "Z", command)
    if sys.platform != "linux":
        ps = ["ps", "-axww", "-o", "pid=,ppid=,stat=,args="]
        for line in subprocess.check_output(ps, text=True).splitlines():
            pid, parent, status, command = line.split(None, 3)
            yield Running(int(pid), int(parent), status.startswith("Z"), command)


def below(ancestor: int) -> list[Running]:
    everything, found = list(processes()), list[Running]()
    parents = {ancestor}
    while children := [each for each in everything if each.parent in parents]:
        found += children
        parents = {each.pid for each in children}
    return found


def alive(pids: Collection[int]) -> list[int]:
    return [one.pid for one in processes() if one.pid in pids and not one.is_zombie]


def wait_until_gone(pids: Collection[int], limit: float = PATIENCE) -> list[int]:
    """Wait until none of the processes runs; return those that still do."""
    until = time.monotonic() + limit
    while (left := alive(pids)) and time.monotonic() < until:
        time.sleep(0.1)
    return left
