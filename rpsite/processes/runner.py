"""The runner of ``./run site``: no process outlives it. Each child has its own session, gets a
signal from the kernel when the runner is killed, and is stopped in reverse order when the runner
gets one.
"""

import asyncio
import contextlib
import json
import signal
import socket
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from rpsite.processes.child import Child, Program
from rpsite.processes.listening import address, is_well
from rpsite.variables import read

#: Seconds until the runner reports that the page does not answer.
START_LIMIT: Final = 60.0
READY_LIMIT: Final = 10.0
LOOK: Final = 0.1
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
            if not await self._is_ready(child.program):
                say("site", f"{child.program.name} does not answer; giving up")
                return 1
        announcing = asyncio.create_task(self._announce())
        await self._end.wait()
        announcing.cancel()
        return 0

    async def _is_ready(self, program: Program) -> bool:
        if program.is_ready is None:
            return True
        limit = asyncio.get_running_loop().time() + READY_LIMIT
        while not await program.is_ready():
            if asyncio.get_running_loop().time() > limit:
                return False
            await asyncio.sleep(LOOK)
        return True

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
