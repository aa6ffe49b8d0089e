"""Finding system programs, and on Debian as root installing them."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path


class Missing(Exception):
    """A system package is not here and cannot be installed; the message says what to do."""


def ensure(find: Callable[[], Path | None], packages: Sequence[str]) -> Path:
    """Return what ``find`` finds, after installing Debian's packages when it finds nothing.

    Raises:
        Missing: it is not here, and this is not Debian, or not root.
    """
    found = find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _install(packages)
        found = find()
    if found is None:
        raise Missing(f"Missing: {' '.join(packages)} (on Debian: apt-get install, as root)")
    return found


def chromium() -> Path | None:
    """Return the path of a Chromium, from CHROMIUM or PATH."""
    if given := os.environ.get("CHROMIUM"):
        return Path(given)
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if found := shutil.which(name):
            return Path(found)
    return None


def _install(packages: Sequence[str]) -> None:
    print(f"installing {' '.join(packages)}", flush=True)
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.call(["apt-get", "update", "-q"], **quiet)
    subprocess.call(
        ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages], **quiet
    )
