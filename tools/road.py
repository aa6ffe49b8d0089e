"""Measure the road of an action, its calls, functions and files: ``python -m tools.road``.

A profile hook counts while the real code runs.  Calls of named functions are those of this
project; comprehensions, lambdas and code of libraries count only among all Python calls.
tests/games/test_roads.py defines the roads and checks their budgets.
"""

import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
#: The packages that count.
PACKAGES = tuple(f"{ROOT / name}/" for name in ("accounts", "economy", "games", "rpsite"))
#: The file whose tests print one road each.
ROADS = "tests/games/test_roads.py"


class Road(NamedTuple):
    """A measured road: calls of named functions, functions, files, and changes of file.

    ``python`` and ``c`` are all calls of Python and of C code, libraries included; a resumed
    generator counts as a call.
    """

    calls: int
    functions: int
    files: int
    stays: int
    python: int
    c: int


def measure(work: Callable[[], Any]) -> Road:
    """Run ``work`` in this thread and return its road."""
    passed: list[tuple[str, str, int]] = []
    # Without ``work`` itself, and the call that ends the measurement.
    count = dict.fromkeys(("call", "c_call"), -1)

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event in count:
            count[event] += 1
        if event == "call" and code.co_name[0] != "<" and code.co_filename.startswith(PACKAGES):
            passed.append((code.co_filename, code.co_qualname, code.co_firstlineno))

    # Finalizers of what others left are not calls of the work.
    gc.collect()
    gc.disable()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    files = [file for file, _, _ in passed]
    stays = sum(one != two for one, two in zip([None, *files], files, strict=False))
    return Road(
        len(passed), len(set(passed)), len(set(files)), stays, count["call"], count["c_call"]
    )


def main() -> int:
    """Print each road; return pytest's exit code."""
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-n0", ROADS]
    return subprocess.call(command, cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
