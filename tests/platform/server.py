"""One web process by either server, for tests that need no more of the site."""

import time
import urllib.request
from pathlib import Path
from typing import Self

from tests.boot import PATIENCE
from tests.platform import forks
from tests.platform.site import environment, free_port


class Server:
    """One web process on a database of its own; Redis is away.  Answers inside its ``with``."""

    def __init__(self, var: Path, kind: str = "uvicorn", **more: str) -> None:
        self.port = free_port()
        self.log = var / "web.log"
        variables = environment(var, REDIS_URL="redis://127.0.0.1:1", **more)
        options = ["--port", str(self.port), "--server", kind]
        with self.log.open("wb") as log:
            self.process = forks.Forked(
                *("manage.py", "web", *options), env=variables, stdout=log, stderr=log
            )

    def __enter__(self) -> Self:
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def _wait(self) -> None:
        until = time.monotonic() + 2 * PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).close()
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() < until, self.log.read_text()
                time.sleep(0.1)
            else:
                return
