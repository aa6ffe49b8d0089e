"""One web process by either server, for tests that need no more of the site."""

import urllib.request
from pathlib import Path
from typing import Any, Self

from tests.boot import PATIENCE
from tests.platform import forks
from tests.platform.site import environment, free_port, wait_until_open


class Server:
    """One web process on a database of its own; Redis is away.  Answers inside its ``with``."""

    def __init__(
        self, var: Path, kind: str = "uvicorn", start: Any = forks.Forked, **more: str
    ) -> None:
        self.port = free_port()
        self.log = var / "web.log"
        variables = environment(var, REDIS_URL="redis://127.0.0.1:1", **more)
        words = ("manage.py", "web", "--port", str(self.port), "--server", kind)
        with self.log.open("wb") as log:
            self.process = start(*words, env=variables, stdout=log, stderr=log)

    def __enter__(self) -> Self:
        try:
            wait_until_open(self.port, self.process, self.log)
            url = f"http://127.0.0.1:{self.port}/healthz"
            urllib.request.urlopen(url, timeout=PATIENCE).close()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
