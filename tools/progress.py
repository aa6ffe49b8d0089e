"""Run a command and print every 30 seconds that it still runs."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

#: Seconds between two lines.
PAUSE = 30


def call(title: str, command: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> int:
    """Return the exit code of a command."""
    seconds = 0
    with subprocess.Popen(command, cwd=cwd, env=environment) as process:
        while True:
            try:
                return process.wait(PAUSE)
            except subprocess.TimeoutExpired:
                seconds += PAUSE
                print(f"\n… {seconds} s: {title}", flush=True)
            except KeyboardInterrupt:
                # The command has received the signal too: wait for its clean-up.
                process.wait()
                raise
