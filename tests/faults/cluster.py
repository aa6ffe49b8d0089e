"""``./run cluster`` as a process of a test."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.boot import PATIENCE, ROOT
from tests.platform.site import below, free_pairs, free_port, wait_until_gone

START_LIMIT = 6 * PATIENCE


class Cluster:
    #: What starts it, and tells it what to do.
    words: Sequence[str] = (sys.executable, "-m", "tools.cluster")

    def __init__(self, var: Path, environment: dict[str, str], web: int = 2, drain: int = 4):
        self.var, self.port, self.first = var, free_port(), free_pairs(web)
        self.log = var / "cluster.log"
        self._environment = environment
        options = ("--web", web, "--port", self.port, "--web-port", self.first, "--drain", drain)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.words, *map(str, options)],
                cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        try:
            self.wait_for("Rock & Racket is at")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem: object) -> None:
        pids = [running.pid for running in below(self.process.pid)]
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(2 * PATIENCE)
        finally:
            self.process.kill()
        assert wait_until_gone(pids) == []

    def wait_for(self, text: str) -> None:
        until = time.monotonic() + START_LIMIT
        while text not in (said := self.log.read_text()):
            assert self.process.poll() is None, said
            assert time.monotonic() < until, said
            time.sleep(0.1)

    def tell(self, word: str, side_by_side: float = 1.0) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*self.words, word, "--side-by-side", str(side_by_side)],
            cwd=ROOT, env=self._environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ports(self) -> list[int]:
        words = [running.command.split() for running in below(self.process.pid)]
        return sorted(int(each[each.index("--port") + 1]) for each in words if "web" in each)
