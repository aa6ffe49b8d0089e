"""Describe the machine: its processors, its load and the versions of the software."""

import os
import platform
import shutil
import sqlite3
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

PACKAGES = (
    "Django", "channels", "daphne", "uvicorn", "uvloop", "websockets", "msgspec", "redis",
    "psycopg", "channels_redis",
)  # fmt: skip


def describe() -> dict[str, str]:
    """Return the description of the machine that a report needs."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _said("git", "rev-parse", "--short", "HEAD"),
        "processor": f"{os.cpu_count()} x {_processor()}",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "kernel": f"{platform.system()} {platform.release().partition('-')[0]}",
        "load before": f"{os.getloadavg()[0]:.1f}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "PostgreSQL": _word(_said("postgres", "--version"), 2),
        "Node": _said("node", "--version") or "-",
        **{name: _version(name) for name in PACKAGES},
    }


def _word(text: str, number: int) -> str:
    words = text.split()
    return words[number] if len(words) > number else "-"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "-"


def _said(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()
