"""A process that says all it knows of its environment: ``python -m tests.platform.description``.

Run by test_forks.py, plain and forked; what they print must be equal.
"""

import asyncio
import gc
import json
import logging
import os
import re
import signal
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django

django.setup()

from channels.testing import ApplicationCommunicator  # noqa: E402 - settings come first
from django.apps import apps  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.hashers import get_hashers  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.files.storage import default_storage, storages  # noqa: E402
from django.db import connections, router  # noqa: E402
from django.template import engines  # noqa: E402
from django.utils import timezone  # noqa: E402

from rpsite import backups, celery, env  # noqa: E402
from rpsite.asgi import application  # noqa: E402
from tests.games.socket_kit import running_site  # noqa: E402

#: What no two answers have in common.
NEW_EACH_TIME = re.compile(
    rb'nonce-[^\']+|nonce="[^"]+"|csrf[^>]+value="[^"]+"|csrftoken=[^;]+; exp[^;]+'
)
NOW = re.compile(r'"now":"[^"]+"')


def made_of_settings() -> dict[str, Any]:
    """Return what Django, Celery and the site keep of settings."""
    celery.application.loader.import_default_modules()
    return {
        "settings": {name: getattr(settings, name) for name in dir(settings) if name.isupper()},
        "databases": {one.alias: one.settings_dict for one in connections.all()},
        "backends": [type(one).__module__ for one in connections.all()],
        "routers": [type(one).__name__ for one in router.routers],
        "caches": [[type(one).__name__, getattr(one, "_table", "")] for one in caches.all()],
        "storages": [str(default_storage.location), str(storages["staticfiles"].location)],
        "staticfiles": type(storages["staticfiles"]).__name__,
        "hashers": [type(one).__name__ for one in get_hashers()],
        "templates": [str(path) for one in engines.all() for path in one.dirs],
        "tables": sorted(
            model._meta.db_table for model in apps.get_models(include_auto_created=True)
        ),
        "broker": celery.application.conf.broker_url,
        "beat": celery.application.conf.beat_schedule,
        "tasks": sorted(celery.application.tasks),
        "pool's parent": celery._worker == os.getpid(),
        "var": [str(env.VAR), str(backups.FOLDER)],
        "ahead": round((timezone.now() - datetime.now(UTC)).total_seconds()),
    }


def made_by_the_system() -> dict[str, Any]:
    """Return what a process inherits from its parent."""
    root = logging.getLogger()
    return {
        "environment": dict(os.environ),
        "argv": sys.argv[1:],
        "directory": str(Path.cwd()),
        "session": os.getsid(0) == os.getpid(),
        "umask": os.umask(0o022),
        "signals": {number.name: str(signal.getsignal(number)) for number in signal.valid_signals()
                    if isinstance(number, signal.Signals)},
        "collector": gc.get_threshold(),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "threads": threading.active_count(),
        "streams": [[one.fileno(), one.encoding, one.errors, one.write_through]
                    for one in (sys.stdout, sys.stderr)],
        "log": [root.level, *([one.stream.fileno(), type(one.formatter).__name__]
                              for one in root.handlers)],
    }  # fmt: skip


async def answers() -> dict[str, Any]:
    """Return what the site answers on a page and on a socket."""
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http",
        "path": "/about/", "raw_path": b"/about/", "query_string": b"", "root_path": "",
        "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1), "server": None,
    }  # fmt: skip
    async with running_site():
        page = ApplicationCommunicator(application, scope)
        await page.send_input({"type": "http.request", "body": b""})
        start, body = await page.receive_output(60), await page.receive_output(60)
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        more = {"type": "websocket", "path": "/ws/lobby/", "scheme": "ws", "subprotocols": []}
        line = ApplicationCommunicator(application, scope | more | {"headers": headers})
        await line.send_input({"type": "websocket.connect"})
        frames = [await line.receive_output(60) for _ in range(2)]
        await line.send_input({"type": "websocket.disconnect", "code": 1000})
        await line.wait(60)
    # The directives of a policy come in an order of their own in each process.
    told = [
        [name, sorted(NEW_EACH_TIME.sub(b"", value).split(b"; "))]
        for name, value in start["headers"]
    ]
    return {
        "page": [start["status"], told, NEW_EACH_TIME.sub(b"", body["body"])],
        "socket": [NOW.sub("", frame.get("text") or frame["type"]) for frame in frames],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value)
    return getattr(value, "__qualname__", str(value))


if __name__ == "__main__":
    said = made_by_the_system() | made_of_settings() | asyncio.run(answers())
    print(json.dumps(said, default=_plain, skipkeys=True))
