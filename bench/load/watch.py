"""The site's processes while the load runs: processor time and memory from /proc, and /metrics.

The live web processes are known from the database, all others as relatives of theirs.
"""

import contextlib
import http.client
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from prometheus_client.parser import text_string_to_metric_families

from bench.load.asking import fetch
from bench.processes import family, process_seconds, proportional_kib, waited_seconds
from rpsite.env import ROOT

#: What is in the command line of a process -> its name in the table; the first that fits.
NAMES: Final = {
    "bench.": "",
    "manage.py web": "web",
    "--quiet worker": "worker",
    "--quiet beat": "beat",
    "valkey": "valkey",
    "redis-server": "valkey",
    "postgres": "postgresql",
    "nginx": "nginx",
    "manage.py up": "runner",
}
LISTENS: Final = "0A"


@dataclass(slots=True)
class Used:
    """A process: its seconds since the first look, and its memory in KiB at the last.

    ``spent`` are those of the processor, ``waited`` those for which it was ready and had none.
    ``seen`` are the kernel's sums at the last look; with a thread that ends, its part goes.
    """

    name: str
    seen: tuple[float, float]
    spent: float = 0.0
    waited: float = 0.0
    kib: int = 0

    def add(self, now: tuple[float, float]) -> None:
        """Count what has passed since the last look."""
        self.spent += max(0.0, now[0] - self.seen[0])
        self.waited += max(0.0, now[1] - self.seen[1])
        self.seen = now


class Watch:
    """The processes of the site, looked at again and again."""

    def __init__(self) -> None:
        self.found: dict[int, Used] = {}

    def look(self, web_pids: Iterable[int], *, is_first: bool = False) -> None:
        """Note the processor time of all processes; one that appears later began at 0."""
        for pid in _relatives(web_pids):
            name = name_of(pid)
            if not name:
                continue
            with contextlib.suppress(OSError, ValueError):
                now = process_seconds(pid), waited_seconds(pid)
                used = self.found.setdefault(pid, Used(name, now if is_first else (0.0, 0.0)))
                used.add(now)
                used.kib = proportional_kib(pid)

    def rows(self) -> Iterator[tuple[str, int, float, float, int]]:
        """Yield name, number of processes, seconds of the processor, seconds without, and KiB.

        Web processes come one by one.
        """
        together: dict[str, list[Used]] = {}
        for pid, used in sorted(self.found.items()):
            key = f"web {pid}" if used.name == "web" else used.name
            together.setdefault(key, []).append(used)
        for name, group in together.items():
            spent, waited = sum(one.spent for one in group), sum(one.waited for one in group)
            yield name, len(group), spent, waited, sum(one.kib for one in group)


def name_of(pid: int) -> str:
    """Return the name of a process in the table, empty for one that is not of the site."""
    words = _words(pid)
    return next((name for part, name in NAMES.items() if part in words), "")


def _words(pid: int) -> str:
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/cmdline").read_bytes()
        return text.replace(b"\0", b" ").decode(errors="replace")
    return ""


def _relatives(web_pids: Iterable[int]) -> set[int]:
    """Return the processes of the site: those below the runner, and this program's own."""
    found = family(os.getpid())
    above = set(_ancestors(os.getpid()))
    for pid in web_pids:
        top = pid
        for parent in _ancestors(pid):
            if parent in above or not _is_of_checkout(parent):
                break
            top = parent
        found |= family(top)
    return found


def _is_of_checkout(pid: int) -> bool:
    with contextlib.suppress(OSError):
        is_here = Path(f"/proc/{pid}/cwd").readlink() == ROOT
        return is_here and "python" in _words(pid).partition(" ")[0]
    return False


def _ancestors(pid: int) -> Iterator[int]:
    """Yield the parent of a process, its parent, ..."""
    while pid > 1:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return
        pid = int(stat.rpartition(")")[2].split()[1])
        yield pid


def scrape(pid: int, token: str) -> Mapping[str, float]:
    """Return the samples of a web process's /metrics by name; empty if it does not answer.

    Samples with labels are summed, except for histograms' buckets, which are left out.
    """
    headers = {"Host": "127.0.0.1"} | ({"Authorization": f"Bearer {token}"} if token else {})
    for port in _ports(pid):
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            answer = fetch("127.0.0.1", port, "/metrics", headers)
            if answer.status == http.HTTPStatus.OK:
                return _samples(answer.body.decode())
    return {}


def _samples(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for metric in text_string_to_metric_families(text):
        for sample in metric.samples:
            if not sample.name.endswith("_bucket"):
                found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return found


def _ports(pid: int) -> list[int]:
    """Return the TCP ports on which a process listens."""
    inodes = set()
    with contextlib.suppress(OSError):
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                inodes.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
    ports = []
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
                fields: list[Any] = line.split()
                if fields[3] == LISTENS and fields[9] in inodes:
                    ports.append(int(fields[1].rpartition(":")[2], 16))
    return ports
