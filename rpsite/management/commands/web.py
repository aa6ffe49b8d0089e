"""The web process: pages and sockets by Daphne, with pump, hub, bus, timers and sweeper."""

import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

#: Seconds; Python's own is 0.005.
SWITCH: Final = 0.001


class Command(BaseCommand):
    """Serve pages and sockets until SIGTERM."""

    help = "Serve pages and sockets; SIGTERM ends it in good order within five seconds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take an address, or a socket that somebody else has opened."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="number of an inherited socket that listens")

    def handle(self, *args: Any, **options: Any) -> None:
        """Open the socket, then serve."""
        from rpsite.processes.listening import CannotListen, listen

        try:
            if options["fd"] is not None:
                listener = socket.socket(fileno=options["fd"])
            else:
                listener = listen(options["host"], options["port"])
        except (CannotListen, OSError) as problem:
            raise CommandError(str(problem)) from problem
        sys.exit(_serve(listener))


def _serve(listener: socket.socket) -> int:
    # Daphne's module sets up Twisted's reactor, so no other command may load it.
    from rpsite.processes.server import Server  # isort: skip
    from games import runtime
    from rpsite.asgi import application
    from rpsite.processes.parent import leave_with_parent
    from rpsite.serving import limit_statements

    limit_statements()
    # Threads of pages get the interpreter sooner while the pump computes.
    sys.setswitchinterval(SWITCH)
    if runner := os.environ.get("SITE_RUNNER"):
        leave_with_parent(int(runner), patience=6.0)
    server = Server(application, listener, start=runtime.start, stop=runtime.stop)
    server.run()
    return server.exit_code
