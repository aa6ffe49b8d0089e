"""One process of the site: start it, restart it when it ends or hangs, end it with its parent."""

import asyncio
import contextlib
import ctypes
import os
import secrets
import signal
import sys
import threading
import time
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rpsite.processes import signs

#: Seconds before an ended child is restarted: 0 at first, then longer and longer.
FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 30.0
#: After running for this long, the pauses begin again with the first.
GOOD_RUN: Final = 30.0
LONGEST_LINE: Final = 2**20

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
    is_ready: Callable[[], Awaitable[bool]] | None = None


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
            preexec_fn=lambda: _end_with(runner, program.death_signal),
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


def _end_with(parent: int, number: signal.Signals) -> None:
    ask_for_death_signal(number)
    if os.getppid() != parent:
        os._exit(1)


def _send(process: Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def ask_for_death_signal(number: int) -> None:
    """Make the kernel send this process a signal when its parent ends; only on Linux."""
    if sys.platform == "linux":
        # PR_SET_PDEATHSIG: sent when the thread that started this process is gone.
        ctypes.CDLL(None, use_errno=True).prctl(1, number)


def die_with_parent(parent: int) -> None:
    """End this process at once when its parent ends or has ended, even by ``kill -9``: a pool
    process of Celery would wait forever for its worker.
    """
    _end_with(parent, signal.SIGKILL)
    leave_with_parent(parent, patience=0.0)


def leave_with_parent(parent: int, patience: float) -> None:
    """End this process and its group ``patience`` seconds after its parent; first a signal."""
    thread = threading.Thread(
        target=_wait_and_end, args=(parent, patience), name="parent", daemon=True
    )
    thread.start()


def _wait_and_end(parent: int, patience: float) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    if patience:
        if sys.platform != "linux":
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(patience)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
