"""Command that runs the whole site, used by ``./run site``."""

import contextlib
import fcntl
import os
import secrets
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from rpsite.env import VAR, valkey_socket
from rpsite.management.commands.prepare import foretell, prepare
from rpsite.processes import runner
from rpsite.processes.listening import CannotListen, address, listen
from rpsite.processes.runner import say
from rpsite.processes.valkey import NoValkey

#: Seconds within which the processes of a killed runner end.
LEFTOVERS: Final = 10.0
ADMIN: Final = "admin"


class Command(BaseCommand):
    """Prepare the site, then run Valkey, worker, beat and web process until a signal."""

    help = "Run the whole site: Valkey, one Celery worker, one beat and the web process."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--dry-run", action="store_true", help="say what would be migrated")
        parser.add_argument("--without-copy", action="store_true", help="migrate without a copy")

    def handle(self, *args: Any, **options: Any) -> None:
        VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
        host, port, has_copy = options["host"], options["port"], not options["without_copy"]
        if options["dry_run"]:
            foretell(partial(say, "site"), has_copy=has_copy)
            return
        try:
            with _alone(VAR / "up.lock", address(host, port)) as was_killed:
                listener = _listen(host, port, patience=LEFTOVERS if was_killed else 0)
                self.check()
                say("site", "preparing the database and the files")
                prepare(partial(say, "site"), has_copy=has_copy)
                _make_admin()
                sys.exit(_run(listener, host))
        except (CannotListen, NoValkey) as problem:
            raise CommandError(str(problem)) from None

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as problem:
            print(problem, file=sys.stderr)
            sys.exit(problem.returncode)


@contextlib.contextmanager
def _alone(path: Path, where: str) -> Iterator[bool]:
    """Hold the lock against a second runner of this checkout; yield whether the last one was
    killed. Raises CommandError.
    """
    # Keep the file: after removing it, two runners could lock two files of one name.
    with path.open("a+", encoding="utf-8") as file:
        file.seek(0)
        before = file.read().strip()
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(f"The site already runs in this checkout: {before}.") from None
        _write(file, f"process {os.getpid()}, http://{where}/")
        try:
            yield bool(before)
        finally:
            _write(file, "")


def _write(file: TextIO, text: str) -> None:
    file.truncate(0)
    file.write(text)
    file.flush()


def _listen(host: str, port: int, patience: float) -> socket.socket:
    """Open the site's socket; retry for ``patience`` seconds after a killed runner. Raises
    CannotListen.
    """
    until = time.monotonic() + patience
    while True:
        try:
            return listen(host, port)
        except CannotListen:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def _make_admin() -> None:
    """On the first start create the admin's account and print its password once."""
    from django.contrib.auth import get_user_model

    users = get_user_model().objects
    if not users.filter(is_superuser=True).exists():
        password = secrets.token_urlsafe(12)
        users.create_superuser(username=ADMIN, email="", password=password)
        say("site", f"admin account: name {ADMIN}, password {password} (shown this once)")
    connections.close_all()


def _run(listener: socket.socket, host: str) -> int:
    variables = runner.environment(_names(host))
    all_programs = [
        runner.worker(variables),
        runner.beat(variables),
        runner.web(variables, listener.fileno()),
    ]
    if "REDIS_URL" not in os.environ:
        path = valkey_socket()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        all_programs.insert(0, runner.embedded_valkey(path))
    allowed = settings.ALLOWED_HOSTS
    return runner.run(all_programs, listener, "localhost" if "localhost" in allowed else allowed[0])


def _names(host: str) -> list[str]:
    if host in ("0.0.0.0", "::"):  # noqa: S104 - somebody asked for it
        name = socket.gethostname()
        with contextlib.suppress(OSError):
            found = {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
            return [name, *sorted(found)]
        return [name]
    return [f"[{host}]" if ":" in host else host]
