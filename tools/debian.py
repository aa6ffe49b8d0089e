"""Finding system programs, and on Debian as root installing them."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


class Missing(Exception):
    """A system package is not here and cannot be installed; the message says what to do."""


#: The browser of the tests: Chromium without windows, which draws pages alike and takes a fifth
#: less processor time; and the whole one, where Debian has no such package.
BROWSERS = (["chromium-headless-shell"], ["chromium"])


def ensure(find: Callable[[], Path | None], *choices: Sequence[str]) -> Path:
    """Return what ``find`` finds, after installing Debian's packages when it finds nothing.

    Args:
        choices: sets of packages, the better ones first; one set is enough.

    Raises:
        Missing: it is not here, and this is not Debian, or not root.
    """
    found = find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _update()
        for packages in choices:
            _install(packages)
            if found := find():
                break
    if found is None:
        packages = choices[-1]
        raise Missing(f"Missing: {' '.join(packages)} (on Debian: apt-get install, as root)")
    return found


def chromium() -> Path | None:
    """Return the path of a Chromium, from CHROMIUM or PATH."""
    if given := os.environ.get("CHROMIUM"):
        return Path(given)
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    for name in names:
        if found := shutil.which(name):
            return Path(found)
    return None


def _update() -> None:
    subprocess.call(["apt-get", "update", "-q"], **_quiet())


def _install(packages: Sequence[str]) -> None:
    print(f"installing {' '.join(packages)}", flush=True)
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    subprocess.call(command, **_quiet())


def _quiet() -> dict[str, Any]:
    return {
        "stdout": subprocess.DEVNULL,
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
    }
