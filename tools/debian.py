"""Find system programs; on Debian, as root, install them."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


class Missing(Exception):
    """A system package is missing and cannot be installed; the message says what to do."""


#: The browser of the tests: headless Chromium, which renders the same and takes a fifth less
#: processor time, or the full one, where Debian has no headless package.
BROWSERS = (["chromium-headless-shell"], ["chromium"])


def ensure(find: Callable[[], Path | None], *choices: Sequence[str]) -> Path:
    """Return the result of ``find``; install Debian's packages first if it finds nothing.

    Args:
        choices: sets of packages in order of preference; one set is enough.

    Raises:
        Missing: it is missing, and this is not Debian, or the user is not root.
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
    return {"stdout": subprocess.DEVNULL, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}}
