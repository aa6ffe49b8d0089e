"""Command that runs the web process: pages, sockets, batch writer, hub, bus, timers, sweeps."""

import importlib.util
import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

#: Seconds; Python's own is 0.005.
SWITCH: Final = 0.001
DAPHNE: Final = "daphne"
UVICORN: Final = "uvicorn"


class Command(BaseCommand):
    """Serve pages and sockets until SIGTERM."""

    help = "Serve pages and sockets; SIGTERM stops it, within five seconds after DRAIN_SECONDS."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="number of an inherited socket that listens")
        parser.add_argument("--server", choices=(DAPHNE, UVICORN), default=DAPHNE)

    def handle(self, *args: Any, **options: Any) -> None:
        from rpsite.db import limit_statements
        from rpsite.processes.listening import CannotListen, listen
        from rpsite.schema import require_present_schema

        # Before the schema is checked: a pool keeps the limits it was created with.
        limit_statements()
        require_present_schema()
        if options["server"] == UVICORN:
            _require_uvicorn()
        try:
            if options["fd"] is not None:
                listener = socket.socket(fileno=options["fd"])
            else:
                listener = listen(options["host"], options["port"])
        except (CannotListen, OSError) as problem:
            raise CommandError(str(problem)) from problem
        sys.exit(_serve(listener, options["server"]))


def _require_uvicorn() -> None:
    wanted = ("uvicorn", "uvloop", "httptools")
    missing = [name for name in wanted if importlib.util.find_spec(name) is None]
    if missing:
        raise CommandError(
            f"Not installed: {', '.join(missing)}.  Run pip install -r requirements-uvicorn.txt"
        )


def _serve(listener: socket.socket, kind: str) -> int:
    from rpsite.processes.limits import allow_many_sockets, give_back_large_blocks
    from rpsite.processes.signs import leave_with_parent

    allow_many_sockets()
    give_back_large_blocks()
    make = _uvicorn if kind == UVICORN else _daphne
    server = make(listener)
    # A shorter interval lets page threads run sooner while the batch writer computes.
    sys.setswitchinterval(SWITCH)
    if runner := os.environ.get("SITE_RUNNER"):
        leave_with_parent(int(runner), patience=6.0)
    server.run()
    code: int = server.exit_code
    return code


def _daphne(listener: socket.socket) -> Any:
    # Sets up Twisted's reactor: only this place may import it, before everything else of ours.
    from rpsite.processes.server import Server  # isort: skip
    from games.realtime import runtime
    from rpsite.asgi import application, start

    return Server(application, listener, start=start, drain=runtime.drain, stop=runtime.stop)


def _uvicorn(listener: socket.socket) -> Any:
    from games.realtime import runtime
    from rpsite.asgi import application
    from rpsite.processes.uvicorn_server import Server

    return Server(application, listener, drain=runtime.drain, stop=runtime.stop)
