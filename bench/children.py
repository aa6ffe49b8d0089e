"""The bench's child processes: one that seeds, and the measured ones."""

import contextlib
import json
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rpsite.env import ROOT
from rpsite.processes.signs import ask_for_death_signal

START_LIMIT, END_LIMIT = 60.0, 15.0


def die_with_bench() -> None:
    """Runs in a child: ends it when the bench ends, even by a kill."""
    ask_for_death_signal(signal.SIGKILL)


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def own_cpu() -> float:
    """Return the processor time of the load generator, in seconds."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Hand:
    """The seeding process; see ``bench.seed``."""

    def __init__(
        self, log: Path, environment: Mapping[str, str], module: str = "bench.seed"
    ) -> None:
        self._log = log
        with log.open("ab") as file:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module],
                cwd=ROOT,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
                preexec_fn=die_with_bench,  # noqa: PLW1509
            )

    def __call__(self, task: str, **given: Any) -> Any:
        """Run a task in it and return the result.

        Raises:
            RuntimeError: it failed; with its output.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps([task, given]) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"{task}: {self._log.read_text()[-4000:]}")
        return json.loads(line)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


class Child:
    """A process of the site, with its output in a file."""

    def __init__(self, log: Path, environment: Mapping[str, str], command: Sequence[str]) -> None:
        self.log = log
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=dict(environment),
                stdout=file,
                stderr=file,
                preexec_fn=die_with_bench,  # noqa: PLW1509
            )

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Stop it with SIGTERM, and its children."""
        self.process.terminate()
        try:
            self.process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()


class Web(Child):
    """One web process."""

    def __init__(
        self, log: Path, environment: Mapping[str, str], command: Sequence[str], port: int
    ) -> None:
        self.address = f"127.0.0.1:{port}"
        super().__init__(log, environment, command)

    def wait(self) -> None:
        """Wait until it answers.

        Raises:
            RuntimeError: it does not; with its output.
        """
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until and self.process.poll() is None:
            with contextlib.suppress(OSError):
                host, port = self.address.split(":")
                socket.create_connection((host, int(port)), timeout=5).close()
                return
            time.sleep(0.05)
        raise RuntimeError(f"the web process does not answer:\n{self.log.read_text()[-4000:]}")
