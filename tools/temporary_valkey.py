"""A Valkey for tests and benchmarks; it ends with the process that starts it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from rpsite.processes.signs import ask_for_death_signal
from rpsite.processes.valkey import NoValkey, command, is_answering


class TemporaryValkey:
    """A Valkey for a test run; ends with it, even by ``kill -9``."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "valkey.sock"
        self.url = f"unix://{self.path}"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            NoValkey: no program is installed, or it does not answer within ten seconds.
        """
        self._process = subprocess.Popen(
            command(self.path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=_die_with_starter if sys.platform == "linux" else None,  # noqa: PLW1509
            env={"PATH": os.environ.get("PATH", "")},
        )
        limit = time.monotonic() + 10
        while not is_answering(self.path):
            if time.monotonic() > limit or self._process.poll() is not None:
                raise NoValkey("The embedded Valkey does not answer.")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)


def _die_with_starter() -> None:
    ask_for_death_signal(signal.SIGKILL)
