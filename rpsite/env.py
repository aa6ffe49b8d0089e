"""Settings from the environment: the data directory, the database, Redis, the secret."""

import hashlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from rpsite.variables import DATABASE, VARIABLES, judge_all, read

ROOT: Final = Path(__file__).resolve().parent.parent
judge_all()

#: The directory of files that the site writes.
VAR: Final[Path] = read("SITE_VAR") or VARIABLES["SITE_VAR"].read(str(ROOT / "var"))

#: A socket's path may have 108 bytes on Linux and 104 on macOS.
LONGEST_SOCKET_PATH: Final = 100

PRAGMAS: Final = (
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous={synchronous};"
    "PRAGMA mmap_size=0;"
    "PRAGMA cache_size=-16000;"
    "PRAGMA journal_size_limit=27103364;"
)


def database(*, synchronous: str = "FULL") -> dict[str, Any]:
    """Return Django's settings for DATABASE_URL, by default a SQLite file in ``var/``; only tests
    may use a ``synchronous`` below FULL.
    """
    settings = read("DATABASE_URL") or DATABASE.read(f"sqlite:///{VAR / 'site.sqlite3'}")
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        return _sqlite(settings, synchronous)
    # The batch writer, four readers and eight for pages.
    pool = {"min_size": 1, "max_size": 16, "timeout": 5}
    return settings | {"CONN_MAX_AGE": 0, "OPTIONS": settings.get("OPTIONS", {}) | {"pool": pool}}


def databases() -> dict[str, dict[str, Any]]:
    """Return the settings of the database and, on SQLite, of a second file for the cache."""
    default = database()
    if default["ENGINE"] != "rpsite.db.sqlite":
        return {"default": default}
    path = Path(default["NAME"])
    # A log-in counts attempts in the cache fifteen times: in one file each write would wait for
    # a batch of actions. A power failure may lose counters.
    cache = database(synchronous="OFF") | {
        "NAME": str(path.with_name(f"{path.stem}-cache{path.suffix}")),
        "CHECKPOINTS": True,
    }
    return {"default": default, "cache": cache}


def _sqlite(settings: dict[str, Any], synchronous: str) -> dict[str, Any]:
    return settings | {
        "ENGINE": "rpsite.db.sqlite",
        "OPTIONS": {
            "timeout": 5,
            "transaction_mode": "IMMEDIATE",
            "init_command": PRAGMAS.format(synchronous=synchronous),
        },
    }


def redis_url() -> str:
    """Return REDIS_URL, or the address of the Redis that ``manage.py up`` starts."""
    return read("REDIS_URL") or f"unix://{valkey_socket()}"


def valkey_socket() -> Path:
    """Return the socket file of the embedded Valkey, which only its owner can open."""
    path = VAR / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    # In a directory that others may write to, only a private subdirectory is safe.
    name = hashlib.sha256(os.fsencode(VAR)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"rps-{os.getuid()}-{name}" / "valkey.sock"


def redis_database(url: str, number: int) -> str:
    """Return the URL of the ``number``-th database after the one that a Redis URL names.
    >>> redis_database("redis://host:6379", 1)
    'redis://host:6379/1'
    >>> redis_database("unix:///var/valkey.sock", 1)
    'unix:///var/valkey.sock?db=1'
    """
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path}?db={number}"
    first = int(parts.path.strip("/") or 0)
    return urlunsplit(parts._replace(path=f"/{first + number}"))


def broker_url(url: str) -> str:
    """Return Celery's URL of the first database of a Redis URL."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"redis+socket://{parts.path}?virtual_host=0"
    return redis_database(url, 0)


def own_secret(path: Path, *, size: int = 64) -> str:
    """Return the secret in a file; if it is missing, create it with ``size`` random bytes, readable
    by its owner only.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    if not path.exists():
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(size))
        try:
            # Unlike a rename, a link never replaces the secret of a concurrent process.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
