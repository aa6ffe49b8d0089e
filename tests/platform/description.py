"""Description of a process's environment; test_forks.py compares a plain and a forked one."""

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

from django.apps import apps  # noqa: E402 - settings come first
from django.conf import settings  # noqa: E402
from django.contrib.auth.hashers import get_hashers  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.files.storage import default_storage, storages  # noqa: E402
from django.db import connections, router  # noqa: E402
from django.template import engines  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from rpsite import backups, celery, env  # noqa: E402

#: What no two answers have in common.
NEW_EACH_TIME = re.compile(r'nonce-[^\']+|nonce="[^"]+"|csrf[^>]+value="[^"]+"')


def made_of_settings() -> dict[str, Any]:
    celery.application.loader.import_default_modules()
    page = Client(headers={"host": "localhost"}).get("/about/", secure=True)
    return {
        "settings": {name: getattr(settings, name) for name in dir(settings) if name.isupper()},
        "databases": {one.alias: one.settings_dict for one in connections.all()},
        "kinds": [type(one).__module__ for one in (*connections.all(), *router.routers)],
        "caches": [[type(one).__name__, getattr(one, "_table", "")] for one in caches.all()],
        "storages": [str(default_storage.location), str(storages["staticfiles"].location)],
        "classes": [type(one).__name__ for one in (storages["staticfiles"], *get_hashers())],
        "templates": [str(path) for one in engines.all() for path in one.dirs],
        "tables": sorted(one._meta.db_table for one in apps.get_models(include_auto_created=True)),
        "celery": [celery.application.conf.broker_url, celery.application.conf.beat_schedule],
        "tasks": sorted(celery.application.tasks),
        "pool's parent": celery._worker == os.getpid(),
        "var": [str(env.VAR), str(backups.FOLDER)],
        "ahead": round((timezone.now() - datetime.now(UTC)).total_seconds()),
        "page": [page.status_code, NEW_EACH_TIME.sub("", page.content.decode())],
        # The directives of a policy come in an order of their own in each process.
        "headers": {
            # A tag is of the visitor, who is another one each time.
            name: sorted(NEW_EACH_TIME.sub("", value).split("; "))
            for name, value in page.items()
            if name != "ETag"
        },
    }


def made_by_the_system() -> dict[str, Any]:
    root = logging.getLogger()
    return {
        "environment": dict(os.environ),
        "argv": sys.argv[1:],
        "directory": str(Path.cwd()),
        "session": os.getsid(0) == os.getpid(),
        "umask": os.umask(0o022),
        "signals": {number.name: str(signal.getsignal(number)) for number in signal.Signals},
        "collector": gc.get_threshold(),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "threads": threading.active_count(),
        "streams": [[one.fileno(), one.encoding, one.errors, one.write_through]
                    for one in (sys.stdout, sys.stderr)],
        "log": [root.level, *([one.stream.fileno(), type(one.formatter).__name__]
                              for one in root.handlers)],
    }  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value)
    return getattr(value, "__qualname__", str(value))


if __name__ == "__main__":
    print(json.dumps(made_by_the_system() | made_of_settings(), default=_plain, skipkeys=True))
