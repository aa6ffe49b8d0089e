"""The process from which tests fork, by requests from forks.py; it ends with its socket."""

import asyncio
import contextlib
import gc
import importlib
import io
import json
import os
import runpy
import select
import signal
import socket
import sys
import threading
from typing import Any, Final

from tests.platform import fork_settings
from tests.platform.forks import NUMBER, ROOT

#: What the site's processes and the tests' import, none of which opens or starts anything.
PRELOADED: Final = (
    "django.test.signals", "django.contrib.staticfiles.management.commands.collectstatic",
    "django.core.management.commands.migrate", "rpsite.db.sqlite.base", "rpsite.urls",
    "rpsite.input", "rpsite.processes.listening", "rpsite.processes.limits",
    "games.realtime.runtime", "rpsite.routing", "whitenoise.storage", "celery.bin.celery",
    "celery.bin.worker", "celery.apps.worker", "celery.apps.beat", "celery.concurrency.prefork",
    "celery.worker.consumer", "kombu.transport.redis", "autobahn.twisted.websocket",
    "daphne.ws_protocol", "daphne.http_protocol", "twisted.internet.asyncioreactor",
    "time_machine", "tests.faults.pages", "tests.faults.towns", "tests.games.socket_kit",
    "tests.games.table_kit",
)  # fmt: skip
#: Not everybody has installed what the site needs for these.
OPTIONAL: Final = (
    "rpsite.processes.uvicorn_server",
    "uvloop",
    "httptools",
    "psycopg_pool",
    "django.db.backends.postgresql.base",
)


def preload() -> None:
    """Set Django up, import everything, and prove that nothing runs and nothing is open."""
    import django

    django.setup()
    for name in PRELOADED:
        importlib.import_module(name)
    for name in OPTIONAL:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from django.db import connections

    from rpsite.celery import application

    assert threading.active_count() == 1, threading.enumerate()
    found = [name for name in fork_settings.NOT_PRELOADED if name in sys.modules]
    assert not found, found
    assert all(one.connection is None for one in connections.all(initialized_only=True))
    assert not application.configured, "Celery has read the server's settings"
    assert getattr(asyncio.get_event_loop_policy()._local, "_loop", None) is None  # type: ignore
    gc.collect()
    gc.freeze()


class Server:
    """Forks children and reports how they ended."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        #: Where the exit code of each child is to be written.
        self._exits: dict[int, int] = {}
        self._bell, self._ringing = socket.socketpair()
        for end in (self._bell, self._ringing):
            end.setblocking(False)
        signal.set_wakeup_fd(self._ringing.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # Ctrl-C goes to pytest, which ends this process; children do what this one did before.
        self._on_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def serve(self) -> tuple[dict[str, Any], list[int]] | None:
        """Return the request and its files in each child; None when there are no more."""
        while True:
            ready, _, _ = select.select([self._control, self._bell], [], [])
            if self._bell in ready:
                with contextlib.suppress(BlockingIOError):
                    self._bell.recv(4096)
                self._report()
            if self._control in ready:
                head, files, _, _ = socket.recv_fds(self._control, NUMBER.size, 4)
                if not head:
                    return None
                (length,) = NUMBER.unpack(head)
                request = json.loads(self._control.recv(length, socket.MSG_WAITALL))
                if self._fork(request, files) == 0:
                    return request, files[:3]

    def end(self) -> None:
        for pid in self._exits:
            os.kill(pid, signal.SIGKILL)

    def _fork(self, request: dict[str, Any], files: list[int]) -> int:
        """Fork, and answer when the child can be found by its group."""
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            if request["new_session"]:
                os.setsid()
            self._leave(files[3])
            os.close(reading)
            os.close(writing)
            return 0
        os.close(writing)
        os.read(reading, 1)
        os.close(reading)
        for file in files[:3]:
            os.close(file)
        self._exits[pid] = files[3]
        self._control.sendall(NUMBER.pack(pid))
        return pid

    def _leave(self, exit_file: int) -> None:
        """In a child: close what is the server's and let signals do what they do by default."""
        from rpsite.processes.signs import ask_for_death_signal

        ask_for_death_signal(signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, self._on_interrupt)
        for end in (self._control, self._bell, self._ringing):
            end.close()
        for file in (exit_file, *self._exits.values()):
            os.close(file)

    def _report(self) -> None:
        while self._exits:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            file = self._exits.pop(pid)
            with contextlib.suppress(BrokenPipeError):
                os.write(file, NUMBER.pack(os.waitstatus_to_exitcode(status)))
            os.close(file)


def become(request: dict[str, Any], files: list[int], before: dict[str, Any]) -> None:
    """Give this process the files, the environment and the settings that were asked for."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in set(files):
        os.close(file)
    environment = request["env"]
    is_unbuffered = bool(environment.get("PYTHONUNBUFFERED"))
    errors = sys.stdin.errors
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", errors=errors, closefd=False)
    for name, file, how in (("stdout", 1, errors), ("stderr", 2, "backslashreplace")):
        raw, behaves = os.fdopen(file, "wb", closefd=False), {"write_through": is_unbuffered}
        made = io.TextIOWrapper(raw, "utf-8", how, line_buffering=file == 2, **behaves)
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)
    os.environ.clear()
    os.environ.update(environment)
    if request["words"][0] == "manage.py":
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rpsite.settings.site")
    fork_settings.load_anew(before)


def run(words: list[str]) -> None:
    first, *rest = words
    if first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = words
        runpy.run_path(str(ROOT / first), run_name="__main__")


def main() -> None:
    preload()
    before = fork_settings.values()
    server = Server(socket.socket(fileno=int(sys.argv[1])))
    if asked := server.serve():
        become(*asked, before)
        run(asked[0]["words"])
    else:
        server.end()


if __name__ == "__main__":
    main()
