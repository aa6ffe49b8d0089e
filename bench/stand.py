"""The site's test stand: a directory, a database, Valkey, web processes and a seeding process.

Worker and beat run only where they are measured: they would take processor time from the load
generator.  Everything else is as in ``./run site``, except for the limits on frames and on sockets
per address, which one load generator would exceed.
"""

import os
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from bench.children import Child, Hand, Web, free_port, own_cpu
from bench.processes import cpu_seconds, family, halves
from bench.sitter import Decide, Sitter
from bench.tally import Tally
from bench.template import POSTGRESQL, Template, manage, variables
from rpsite.processes import runner
from tools import nginx, rolling
from tools.temporary_valkey import TemporaryValkey

#: How a proxy picks the process: by the address, or in turn.
TOGETHER, SPREAD = "together", "spread"
#: Kind of setup -> Python's arguments for its web process.
PROGRAMS = {"site": ["manage.py", "web"], "unstored": ["-m", "bench.unstored"]}


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration: program, database, server and number of processes.

    ``sticky``: all seats of a table are in one process, as with a proxy that routes by address;
    else they are spread over all.  ``apart``: all tables are in the first process, and the arena's
    sockets in the others, on other processors.  ``proxy``: nginx is before them and picks the
    process, ``together`` by the address, ``spread`` in turn.  ``delay``: PostgreSQL's
    ``commit_delay`` in microseconds.
    """

    kind: str
    database: str = ""
    server: str = ""
    processes: int = 1
    sticky: bool = False
    apart: bool = False
    proxy: str = ""
    delay: int = 0

    @property
    def label(self) -> str:
        """The name in tables, such as ``site sqlite daphne 1``."""
        count = str(self.processes) if self.server else ""
        way = "sticky" if self.sticky else "apart" if self.apart else ""
        way = f"nginx {self.proxy}" if self.proxy else way
        delay = f"delay {self.delay}" if self.delay else ""
        return " ".join(filter(None, (self.kind, self.database, self.server, count, way, delay)))


class Stand:
    """A running site for a ``with`` block, which also deletes its directory."""

    def __init__(self, setup: Setup, template: Template) -> None:
        self.setup = setup
        self.template = template
        self.var = template.directory.parent / f"stand-{os.getpid()}-{time.monotonic_ns()}"
        self.webs: list[Web] = []
        self.others: list[Child] = []
        self.proxy: Web | None = None
        self.people: list[dict[str, Any]] = []
        self.environment: dict[str, str] = {}
        self.database = ""
        self.hand: Hand

    def __enter__(self) -> Self:
        self.var.mkdir()
        self.valkey = TemporaryValkey(self.var)
        self.valkey.start()
        self.database = self.template.copy(self.var, self.setup.delay)
        self.people = self.template.people
        self.environment = variables(self.var, self.database) | {"REDIS_URL": self.valkey.url}
        self.hand = Hand(self.var / "hand.log", self.environment)
        return self

    def __exit__(self, *problem: object) -> None:
        for web in self.webs:
            web.kill()
        if self.proxy is not None:
            self.proxy.end()
        for other in self.others:
            other.end()
        self.hand.close()
        self.valkey.stop()
        if self.database:
            self.template.drop(self.database)
        if problem[0] is not None:
            for log in self.var.glob("*.log"):
                print(f"== {log.name}\n{log.read_text()[-3000:]}", file=sys.stderr)
        shutil.rmtree(self.var, ignore_errors=True)
        os.sched_setaffinity(0, set.union(*halves()))

    def start_web(self) -> None:
        """Start the web processes and wait for them."""
        count = self.setup.processes
        logs = [self.var / f"web-{len(self.webs) + n}.log" for n in range(count)]
        fresh = [
            self._new_web(log, self.environment, self.setup.server, free_port()) for log in logs
        ]
        if self.setup.apart:
            # Otherwise the scheduling of processes would decide the figures.
            tables, arena = halves()
            os.sched_setaffinity(0, tables)
            for web in fresh:
                os.sched_setaffinity(web.process.pid, tables if web is fresh[0] else arena)
        self.webs += fresh
        for web in fresh:
            web.wait()
        if self.setup.proxy:
            self._start_proxy()

    def _start_proxy(self) -> None:
        directory, port = self.var / "nginx", free_port()
        directory.mkdir()
        ports = [int(web.address.partition(":")[2]) for web in self.webs]
        text = rolling.upstreams(ports, is_spread=self.setup.proxy == SPREAD)
        (directory / "upstreams.conf").write_text(text)
        command = nginx.command(directory, nginx.site(directory, f"127.0.0.1:{port}", self.var))
        self.proxy = Web(self.var / "nginx.log", self.environment, command, port)
        self.proxy.wait()

    def start_worker(self) -> None:
        """Start the worker and the beat."""
        for program in (runner.worker(self.environment), runner.beat(self.environment)):
            log = self.var / f"{program.name}.log"
            self.others.append(Child(log, self.environment, program.command))

    def _new_web(self, log: Path, environment: Mapping[str, str], server: str, port: int) -> Web:
        options = ["--port", str(port), "--server", server]
        return Web(log, environment, [sys.executable, *PROGRAMS[self.setup.kind], *options], port)

    def new_sitter(self, tally: Tally, decide: Decide) -> Any:
        """Return a player of this server."""
        return Sitter(tally, decide)

    def address(self, seat: int, table: int = 0) -> str:
        """Return the address to which a seat of a table connects."""
        if self.proxy is not None:
            return self.proxy.address
        if self.setup.apart:
            return self.webs[0].address
        number = table if self.setup.sticky else seat
        return self.webs[number % len(self.webs)].address

    def arena_addresses(self) -> list[str]:
        """Return the addresses to which players of the arena connect."""
        return [web.address for web in self.webs[1 if self.setup.apart else 0 :]]

    def cpu(self) -> dict[str, float]:
        """Return the processor seconds of all processes, by kind."""
        used = {
            "server": cpu_seconds(web.process.pid for web in self.webs),
            "valkey": cpu_seconds([self.valkey.pid]),
            "client": own_cpu(),
        }
        if self.setup.database == POSTGRESQL:
            used["database"] = cpu_seconds(_postgres())
        if self.proxy is not None:
            used["nginx"] = cpu_seconds([self.proxy.process.pid])
        return used

    def problems(self) -> list[str]:
        """Return the unexpected lines of the logs."""
        words = ("Traceback", "ERROR", "CRITICAL", "database is locked")
        lines = [line for log in self.var.glob("web*.log") for line in log.read_text().splitlines()]
        return [line for line in lines if any(word in line for word in words)]

    def manage(self, *arguments: str) -> str:
        """Run a management command against this site."""
        return manage(self.environment, *arguments)


def _postgres() -> set[int]:
    """Return the processes of this program's PostgreSQL."""
    return {
        pid
        for pid in family(os.getpid())
        if Path(f"/proc/{pid}/comm").exists()
        and Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"
    }
