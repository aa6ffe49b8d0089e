"""Processes for tests, forked from one that has imported all; starts and ends need real ones."""

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from functools import cache
from typing import IO, Any, Self

from tests.boot import PATIENCE, ROOT

#: What the server is set up with.  Nothing is there: what keeps a value of it must fail.
SERVER = {
    "SITE_VAR": f"{tempfile.gettempdir()}/nothing-is-here",
    "DATABASE_URL": "sqlite:////nonexistent/site.sqlite3",
    "REDIS_URL": "unix:///nonexistent/valkey.sock",
    "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
    "SECRET_KEY": "the fork server's own",
}
#: Lengths of messages and exit codes.
NUMBER = struct.Struct("!i")


class ForkServer:
    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        self._turn = threading.Lock()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server runs
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.platform.fork_server", str(theirs.fileno())],
                cwd=ROOT,
                env=os.environ | SERVER,
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self.close)

    def fork(self, request: dict[str, Any], files: list[int]) -> int:
        """Start a process and return its number; ``files`` are its three and its exit's pipe."""
        body = json.dumps(request).encode()
        answer = b""
        with self._turn, contextlib.suppress(ConnectionError):
            socket.send_fds(self._control, [NUMBER.pack(len(body))], files)
            self._control.sendall(body)
            answer = self._control.recv(NUMBER.size, socket.MSG_WAITALL)
        if len(answer) < NUMBER.size:
            self._said.seek(0)
            raise AssertionError(f"the fork server has ended:\n{self._said.read().decode()}")
        return int.from_bytes(answer)

    def close(self) -> None:
        self._control.close()
        self.process.wait(PATIENCE)
        self._said.close()


_starting = threading.Lock()


@cache
def _started() -> ForkServer:
    return ForkServer()


def server() -> ForkServer:
    """Return the server of this process, which the first one to ask starts."""
    with _starting:
        return _started()


class Forked:
    """A forked ``subprocess.Popen([sys.executable, *words])`` in the checkout."""

    def __init__(
        self,
        *words: str,
        env: Mapping[str, str],
        stdin: int | IO[Any] | None = None,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
        start_new_session: bool = False,
    ) -> None:
        self.args = words
        self.returncode: int | None = None
        #: Text of which each line is passed on at once, where a pipe was asked for.
        self.stdin: IO[str] | None = None
        self.stdout: IO[str] | None = None
        with contextlib.ExitStack() as theirs:
            files = [self._file(0, stdin, theirs), self._file(1, stdout, theirs)]
            files.append(files[1] if stderr == subprocess.STDOUT else self._file(2, stderr, theirs))
            self._exit, writing = os.pipe()
            theirs.callback(os.close, writing)
            request = {"words": words, "env": dict(env), "new_session": start_new_session}
            self.pid = server().fork(request, [*files, writing])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        for file in (self.stdin, self.stdout):
            if file is not None:
                file.close()
        self.wait()

    def poll(self) -> int | None:
        self._look(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code, or raise ``subprocess.TimeoutExpired``."""
        self._look(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout: float | None) -> None:
        if self.returncode is not None:
            return
        poll = select.poll()
        poll.register(self._exit, select.POLLIN)
        if not poll.poll(None if timeout is None else timeout * 1000):
            return
        said = os.read(self._exit, NUMBER.size)
        os.close(self._exit)
        assert said, "the fork server has ended before its children"
        (self.returncode,) = NUMBER.unpack(said)

    def _file(self, number: int, asked: Any, theirs: contextlib.ExitStack) -> int:
        """Return the descriptor that becomes the child's; ``theirs`` closes what is its alone."""
        if asked is None:
            return number
        if asked not in (subprocess.DEVNULL, subprocess.PIPE):
            return int(asked if isinstance(asked, int) else asked.fileno())
        if asked == subprocess.DEVNULL:
            file = os.open(os.devnull, os.O_RDWR)
        elif number == 0:
            file, writing = os.pipe()
            self.stdin = os.fdopen(writing, "w", buffering=1, encoding="utf-8")
        else:
            assert number == 1, "stderr has no pipe of its own"
            reading, file = os.pipe()
            self.stdout = os.fdopen(reading, encoding="utf-8")
        theirs.callback(os.close, file)
        return file


def run(
    *words: str, env: Mapping[str, str], timeout: float = 5 * PATIENCE
) -> subprocess.CompletedProcess[str]:
    """Run a process to its end, like ``subprocess.run`` with captured text."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = Forked(*words, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            code = process.wait(timeout)
        finally:
            process.kill()
            process.wait()
        said = [(file.seek(0), file.read().decode())[1] for file in (out, err)]
    return subprocess.CompletedProcess(words, code, *said)


def unforked(*words: str, env: Mapping[str, str], **files: Any) -> subprocess.Popen[Any]:
    """Start a process in the checkout that is not forked."""
    return subprocess.Popen([sys.executable, *words], cwd=ROOT, env=env, **files)


def plain(*words: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a process that is not forked to its end, with captured text."""
    command, quiet = [sys.executable, *words], subprocess.DEVNULL
    return subprocess.run(
        command, cwd=ROOT, env=env, stdin=quiet, capture_output=True, text=True, check=False
    )
