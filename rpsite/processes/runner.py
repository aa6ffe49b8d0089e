"""The runner of ``./run site`` and the programs of the running site: Valkey, one worker, one beat,
one web process. No process outlives the runner: each has its own session, gets a signal from the
kernel when it is killed, is stopped in reverse order when it gets one, and restarted when it hangs.
"""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from rpsite.env import ROOT
from rpsite.processes import signs, valkey
from rpsite.processes.listening import address, is_well
from rpsite.variables import read

#: Seconds until the runner reports that the page does not answer.
START_LIMIT: Final = 60.0
READY_LIMIT: Final = 10.0
LOOK: Final = 0.1
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: Seconds before an ended child is restarted: 0 at first, then longer and longer.
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 30.0
#: After running for this long, the pauses begin again with the first.
GOOD_RUN: Final = 30.0
LONGEST_LINE: Final = 2**20
#: Longest pause of the web process in seconds: short, because users wait for it.
WEB_PAUSE: Final = 2.0
#: Seconds: in less than that a busy machine seems to hang.
LEAST_HANG: Final = 10.0

_CELERY = (sys.executable, "-m", "celery", "-A", "rpsite.celery:application", "--quiet")

Say = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Program:
    """The program of a child; ``patience`` in seconds for its end, ``longest_pause`` before a
    restart. Lines with one of ``noise`` are not shown. It is ended after ``hang_limit`` seconds
    without a sign of life; 0: never.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    patience: float
    death_signal: signal.Signals = signal.SIGTERM
    noise: Sequence[str] = ()
    inherited: Sequence[int] = ()
    longest_pause: float = LONGEST_PAUSE
    hang_limit: float = 0.0
    is_ready: Callable[[], bool] | None = None


class Child:
    """Keeps a program running until it is stopped."""

    def __init__(self, program: Program, say: Say) -> None:
        self.program = program
        self._say = say
        self._process: Process | None = None
        self._start = ""
        self._is_stopping = False
        self._pause = FIRST_PAUSE
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._work = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """Ask the program to end, and kill it after ``patience``; then kill its whole group."""
        self._is_stopping = True
        process = self._process
        if process is not None and process.returncode is None:
            _send(process, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), self.program.patience)
        self.kill()
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    @property
    def start_token(self) -> str | None:
        """The token that the running process answers to /healthz; None if none runs."""
        is_running = self._process is not None and self._process.returncode is None
        return signs.start_token(self._start) if is_running else None

    def signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            _send(self._process, number)

    def kill(self) -> None:
        """Kill the program and its children."""
        self._is_stopping = True
        if self._process is not None:
            _kill_group(self._process.pid)

    async def _keep_running(self) -> None:
        while not self._is_stopping:
            begun = time.monotonic()
            await self._run_once()
            if self._is_stopping:
                return
            if time.monotonic() - begun > GOOD_RUN:
                self._pause = FIRST_PAUSE
            self._say(self.program.name, f"{self._how_it_ended()}; starting it again")
            await asyncio.sleep(self._pause)
            self._pause = min(self._pause * 2, self.program.longest_pause)

    async def _run_once(self) -> None:
        reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._process = process = await self._begin(writing)
        finally:
            os.close(writing)
        lines = asyncio.create_task(self._pass_on(process))
        watching = asyncio.create_task(self._watch(process, reading))
        try:
            await process.wait()
        finally:
            watching.cancel()
            asyncio.get_running_loop().remove_reader(reading)
            os.close(reading)
        # A pool process of a killed worker would keep the pipe open, and itself alive.
        _kill_group(process.pid)
        await lines

    async def _begin(self, for_signs: int) -> Process:
        program, runner = self.program, os.getpid()
        self._start = secrets.token_hex(16)
        variables = {
            name: value
            for name, value in program.environment.items()
            if name not in signs.FOR_PARENT
        }
        ours = {signs.START: self._start, signs.PIPE: str(for_signs)}
        return await asyncio.create_subprocess_exec(
            *program.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            env=variables | ours,
            pass_fds=(*program.inherited, for_signs),
            start_new_session=True,
            preexec_fn=lambda: signs.end_with(runner, program.death_signal),
            limit=LONGEST_LINE,
        )

    async def _watch(self, process: Process, reading: int) -> None:
        """Read the program's signs of life; kill it when they stay away."""
        loop = asyncio.get_running_loop()
        found = signs.Signs(self.program.hang_limit, loop.time())

        def take() -> None:
            if os.read(reading, 4096):
                found.note(loop.time())
            else:
                loop.remove_reader(reading)

        loop.add_reader(reading, take)
        while self.program.hang_limit:
            await asyncio.sleep(signs.LOOK)
            if found.is_overdue(loop.time()):
                self._say(self.program.name, "gives no sign of life; ending it")
                _kill_group(process.pid)

    async def _pass_on(self, process: Process) -> None:
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:
                continue  # The line is too long to show.
            if not line:
                return
            text = line.decode("utf-8", "replace").rstrip()
            if text and not any(noise in text for noise in self.program.noise):
                self._say(self.program.name, text)

    def _how_it_ended(self) -> str:
        code = self._process.returncode if self._process else None
        if code is not None and code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"has ended with exit code {code}"


def _send(process: Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def environment(hosts: list[str]) -> dict[str, str]:
    """Return the children's environment: the runner's process id and the site's host names."""
    known = [name for name in os.environ.get("SITE_HOSTS", "").split(",") if name]
    return os.environ | {
        "SITE_RUNNER": str(os.getpid()),
        "SITE_HOSTS": ",".join(dict.fromkeys([*known, *hosts])),
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(ROOT),
    }


def hang_limit() -> float:
    """Return the seconds without a sign of life after which a process is ended; 0: never."""
    seconds: int = read("WATCHDOG_SECONDS")
    return max(seconds, LEAST_HANG) if seconds else 0.0


def embedded_valkey(path: Path) -> Program:
    """Return the Valkey that carries hints and Celery's messages. Raises NoValkey."""
    return Program(
        name="valkey",
        command=valkey.command(path),
        environment={"PATH": os.environ.get("PATH", "")},
        patience=5,
        # Ending later by a handled signal, it would remove its successor's socket file.
        death_signal=signal.SIGKILL,
        noise=valkey.NOISE,
        is_ready=partial(valkey.is_answering, path),
    )


def worker(variables: Mapping[str, str], name: str = "worker") -> Program:
    """Return a Celery worker; workers of one machine have different names."""
    arguments = ("-c", "2", "--without-mingle", "--without-gossip", "-n", f"{name}@%h")
    command = [*_CELERY, "worker", *arguments]
    return Program(
        name, command, variables, patience=15, noise=["Warm shutdown"], hang_limit=hang_limit()
    )


def beat(variables: Mapping[str, str]) -> Program:
    """Return the beat, which keeps no file, because its intervals are seconds."""
    command = [*_CELERY, "beat", "--pidfile="]
    return Program("beat", command, variables, patience=5, hang_limit=hang_limit())


def web(variables: Mapping[str, str], listener: int) -> Program:
    """Return the web process, which serves a socket that the runner keeps open."""
    command = [sys.executable, str(ROOT / "manage.py"), "web", "--fd", str(listener)]
    return Program(
        "web", command, variables, patience=6, inherited=[listener], longest_pause=WEB_PAUSE,
        hang_limit=hang_limit(),
    )  # fmt: skip


def web_at(variables: Mapping[str, str], port: int, patience: float) -> Program:
    """Return one of several web processes, which listens on a port of its own."""
    command = [sys.executable, str(ROOT / "manage.py"), "web", "--port", str(port)]
    return Program(
        f"web{port}", command, variables, patience=patience, longest_pause=WEB_PAUSE,
        hang_limit=hang_limit(),
    )  # fmt: skip


def say(name: str, text: str) -> None:
    """Print a line with a process's name, in JSON with LOG_JSON; ignores a closed terminal."""
    line = _as_json(name, text) if read("LOG_JSON") else f"{name:<7}| {text}"
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _as_json(name: str, text: str) -> str:
    """Add the program's name to its line of JSON; make one of any other line."""
    with contextlib.suppress(ValueError):
        found = json.loads(text)
        if isinstance(found, dict):
            return json.dumps({**found, "program": name})
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    entry = {"at": at, "level": "INFO", "logger": "runner", "message": text, "program": name}
    return json.dumps(entry)


async def is_ready(program: Program) -> bool:
    """Wait until a started program is ready; return whether it is in time."""
    if program.is_ready is None:
        return True
    limit = asyncio.get_running_loop().time() + READY_LIMIT
    while not program.is_ready():
        if asyncio.get_running_loop().time() > limit:
            return False
        await asyncio.sleep(LOOK)
    return True


class Runner:
    """Runs programs until a signal; the last one is the web process, which serves ``listener``."""

    def __init__(self, programs: Sequence[Program], listener: socket.socket, host: str) -> None:
        self._children = [Child(program, say) for program in programs]
        self._listener = listener
        self._host = host
        self._end = asyncio.Event()

    async def run(self) -> int:
        """Start all programs, wait for a signal, stop all; return the exit code."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self._told_to_end)
        try:
            code = await self._until_end()
        finally:
            await self._stop()
        say("site", "stopped")
        return code

    async def _until_end(self) -> int:
        for child in self._children:
            child.start()
            if not await is_ready(child.program):
                say("site", f"{child.program.name} does not answer; giving up")
                return 1
        announcing = asyncio.create_task(self._announce())
        await self._end.wait()
        announcing.cancel()
        return 0

    def _told_to_end(self) -> None:
        if self._end.is_set():
            say("site", "told twice: ending everything at once")
            for child in self._children:
                child.kill()
        self._end.set()

    async def _stop(self) -> None:
        self._listener.close()
        for child in reversed(self._children):
            await child.stop()

    async def _announce(self) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        was_said = False
        where, port = self._listener.getsockname()[:2]
        url = f"http://{address(where, port)}/"
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(where, where)  # noqa: S104 - from here
        web = self._children[-1]
        while not await is_well(here, port, self._host, {web.start_token}):
            if not was_said and loop.time() - begun > START_LIMIT:
                was_said = True
                say("site", f"{url} does not answer yet; still trying")
            await asyncio.sleep(LOOK)
        say("site", f"Rock & Racket is at {url} (Ctrl-C ends it)")


def run(programs: Sequence[Program], listener: socket.socket, host: str) -> int:
    """Run the programs until a signal; return the exit code."""
    try:
        return asyncio.run(Runner(programs, listener, host).run())
    finally:
        sys.stdout.flush()
