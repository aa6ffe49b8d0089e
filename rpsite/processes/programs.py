"""The programs of the running site: Valkey, one worker, one beat, one web process."""

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rpsite.env import ROOT
from rpsite.processes import valkey
from rpsite.processes.child import Program
from rpsite.variables import read

#: Longest pause of the web process in seconds: short, because users wait for it.
WEB_PAUSE: Final = 2.0
#: Seconds: in less than that a busy machine seems to hang.
LEAST_HANG: Final = 10.0

_CELERY = (sys.executable, "-m", "celery", "-A", "rpsite.celery:application", "--quiet")


def environment(hosts: list[str]) -> dict[str, str]:
    """Return the children's environment: the runner's process id and the site's host names."""
    known = [name for name in os.environ.get("SITE_HOSTS", "").split(",") if name]
    return os.environ | {
        "SITE_RUNNER": str(os.getpid()),
        "SITE_HOSTS": ",".join(dict.fromkeys([*known, *hosts])),
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(ROOT),
    }


def hang_limit() -> float:
    """Return the seconds without a sign of life after which a process is ended; 0: never."""
    seconds: int = read("WATCHDOG_SECONDS")
    return max(seconds, LEAST_HANG) if seconds else 0.0


def embedded_valkey(path: Path) -> Program:
    """Return the Valkey that carries hints and Celery's messages. Raises NoValkey."""

    async def is_ready() -> bool:
        return valkey.is_answering(path)

    return Program(
        name="valkey",
        command=valkey.command(path),
        environment={"PATH": os.environ.get("PATH", "")},
        patience=5,
        # Ending later by a handled signal, it would remove its successor's socket file.
        death_signal=signal.SIGKILL,
        noise=valkey.NOISE,
        is_ready=is_ready,
    )


def worker(variables: Mapping[str, str], name: str = "worker") -> Program:
    """Return a Celery worker; workers of one machine have different names."""
    arguments = ("-c", "2", "--without-mingle", "--without-gossip", "-n", f"{name}@%h")
    command = [*_CELERY, "worker", *arguments]
    return Program(
        name, command, variables, patience=15, noise=["Warm shutdown"], hang_limit=hang_limit()
    )


def beat(variables: Mapping[str, str]) -> Program:
    """Return the beat, which keeps no file, because its intervals are seconds."""
    command = [*_CELERY, "beat", "--pidfile="]
    return Program("beat", command, variables, patience=5, hang_limit=hang_limit())


def web(variables: Mapping[str, str], listener: int) -> Program:
    """Return the web process, which serves a socket that the runner keeps open."""
    command = [sys.executable, str(ROOT / "manage.py"), "web", "--fd", str(listener)]
    return Program(
        "web", command, variables, patience=6, inherited=[listener], longest_pause=WEB_PAUSE,
        hang_limit=hang_limit(),
    )  # fmt: skip


def web_at(variables: Mapping[str, str], port: int, patience: float) -> Program:
    """Return one of several web processes, which listens on a port of its own."""
    command = [sys.executable, str(ROOT / "manage.py"), "web", "--port", str(port)]
    return Program(
        f"web{port}", command, variables, patience=patience, longest_pause=WEB_PAUSE,
        hang_limit=hang_limit(),
    )  # fmt: skip
