"""Run a temporary PostgreSQL for the duration of a command.

    python -m tools.postgres -- python -m pytest --database=postgresql

The cluster is created in a temporary directory by an unprivileged user, listens only on the
loopback address, and is deleted afterwards.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rpsite.processes.signs import ask_for_death_signal
from tools import debian

#: Unprivileged users as which root runs it; PostgreSQL refuses to run as root.
UNPRIVILEGED = ("postgres", "nobody")
NAME = "site"
START_LIMIT = 120.0
SETTINGS = ("max_connections=200",)
#: Options for tests: a power failure may lose data, and nobody but the tests needs the processors.
CARELESS = (
    *("fsync=off", "full_page_writes=off", "synchronous_commit=off"),
    *("autovacuum=off", "jit=off"),
)


def find_programs() -> Path | None:
    """Return the directory of initdb and postgres, of the newest version if there are several."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    found.sort(key=lambda path: int(path.parent.name) if path.parent.name.isdigit() else 0)
    if found:
        return found[-1]
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb and shutil.which("postgres") else None


@contextlib.contextmanager
def running_cluster(*, durable: bool = False) -> Iterator[str]:
    """Run a cluster; yield the URL of its database.

    Args:
        durable: whether commits survive a power failure.

    Raises:
        Missing: PostgreSQL is missing and cannot be installed, or does not start.
    """
    programs = debian.ensure(find_programs, ["postgresql"])
    user = _user()
    password = secrets.token_hex(16)
    directory = Path(tempfile.mkdtemp(prefix="rps-postgres-"))
    try:
        directory.chmod(0o755)
        data = directory / "data"
        data.mkdir()
        if user is not None:
            shutil.chown(data, user, None)
        _initialise(programs, data, user, password)
        port = _free_port()
        settings = [*SETTINGS, *([] if durable else CARELESS), f"port={port}"]
        with _server(programs, data, user, settings) as server:
            _wait(server, port, data)
            yield f"postgres://{NAME}:{password}@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _user() -> str | None:
    """Return the user to run it as; None for the current user."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in names)


def _initialise(programs: Path, data: Path, user: str | None, password: str) -> None:
    secret = data.parent / "password"
    secret.touch(mode=0o600)
    secret.write_text(password)
    if user is not None:
        shutil.chown(secret, user, None)
    made = subprocess.run(
        [
            *(str(programs / "initdb"), "-D", str(data), "-U", NAME, "--pwfile", str(secret)),
            *("-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"),
        ],
        user=user,
        cwd=data.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    secret.unlink()
    if made.returncode != 0:
        raise debian.Missing(f"PostgreSQL's cluster could not be made: {made.stderr.strip()}")


@contextlib.contextmanager
def _server(
    programs: Path, data: Path, user: str | None, settings: list[str]
) -> Iterator[subprocess.Popen[bytes]]:
    arguments = [f"-c{setting}" for setting in settings]
    with (data.parent / "log").open("wb") as log:
        server = subprocess.Popen(
            [
                *(str(programs / "postgres"), "-D", str(data), "-c", "listen_addresses=127.0.0.1"),
                *("-c", "unix_socket_directories=", *arguments),
            ],
            user=user,
            cwd=data.parent,
            stdout=log,
            stderr=log,
            # Ctrl-C on a terminal is for who started it, and who stops it last.
            start_new_session=True,
            # In the child, after the change of user, which would clear the signal.
            preexec_fn=lambda: ask_for_death_signal(signal.SIGQUIT),  # noqa: PLW1509
        )
    try:
        yield server
    finally:
        # Fast shutdown: does not wait for clients.
        server.send_signal(signal.SIGINT)
        server.wait(20)


def _wait(server: subprocess.Popen[bytes], port: int, data: Path) -> None:
    until = time.monotonic() + START_LIMIT
    while server.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            if "ready to accept" in (data.parent / "log").read_text(errors="replace"):
                return
        time.sleep(0.1)
    log = (data.parent / "log").read_text(errors="replace")
    raise debian.Missing(f"PostgreSQL does not start: {log[-2000:]}")


#: Sockets that reserve the cluster's port: bound, not listening.
_holders: list[socket.socket] = []


def _free_port() -> int:
    """Reserve a free port; PostgreSQL can still bind it, because it reuses the address."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    port = int(holder.getsockname()[1])
    if sys.platform == "linux":
        _holders.append(holder)
    else:
        holder.close()
    return port


def main(arguments: list[str]) -> int:
    """Run a command with TEST_DATABASE_URL in its environment; return its exit code."""
    command = arguments[1:] if arguments[:1] == ["--"] else arguments
    with running_cluster() as url:
        return subprocess.call(command, env=os.environ | {"TEST_DATABASE_URL": url})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
