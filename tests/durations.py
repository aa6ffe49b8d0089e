"""Record the processor time of each test, and choose the tests of the first form.

``./run test --record`` writes the table, ``durations.txt``: its first line names the machine and
the seconds of a calibration loop; each row is seconds, cases and name of one test function.
"""

import itertools
import json
import os
import platform
import time
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/durations.txt"
#: The environment variable that names the folder in which each process notes its durations.
FOLDER = "DURATIONS"
#: The seconds of the calibration loop on a quiet machine, to which ``CHEAP`` refers.
QUIET = 0.1
#: Maximum seconds of processor time of a test, all cases together, that needs no marker.
CHEAP = 0.025
#: The marker of the plainest test of a rule.
PLAIN = "plain"


class Row(NamedTuple):
    """Seconds of processor time of all cases of a test together."""

    seconds: float
    cases: int


class Table(NamedTuple):
    calibration: float
    rows: dict[str, Row]

    def is_cheap(self, name: str) -> bool:
        row = self.rows.get(name)
        return row is not None and row.seconds <= CHEAP * self.calibration / QUIET


@cache
def recorded() -> Table:
    if not TABLE.exists():
        return Table(QUIET, {})
    head, *lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows, file = {}, ""
    for line in lines:
        if line.startswith("tests/"):
            file = line
        else:
            seconds, cases, name = line.split(maxsplit=2)
            rows[f"{file}::{name}"] = Row(float(seconds), int(cases))
    return Table(float(head.partition("calibration ")[2].split()[0]), rows)


@cache
def cheap_files() -> frozenset[str]:
    cheap = filter(recorded().is_cheap, recorded().rows)
    return frozenset(name.partition("::")[0] for name in cheap)


def is_in_first_form(item: pytest.Item) -> bool:
    """Whether ``./run test`` runs a test: marked, or cheap without unmeasured processes."""
    is_cheap = recorded().is_cheap(function_of(item.nodeid))
    is_chosen = is_cheap and not item.get_closest_marker("processes")
    return bool(item.get_closest_marker(PLAIN)) or is_chosen


def has_first_form(path: Path) -> bool:
    is_cheap = path.relative_to(ROOT).as_posix() in cheap_files()
    return is_cheap or f"mark.{PLAIN}" in path.read_text(encoding="utf-8")


def function_of(nodeid: str) -> str:
    return nodeid.partition("[")[0]


class Recorder:
    """A pytest plugin that adds up the processor time of each test with its fixtures."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Measure one test, with the processes that it started and waited for."""
        begun = sum(os.times()[:4])
        result = yield
        self.spent[item.nodeid] += sum(os.times()[:4]) - begun
        return result

    def note(self) -> None:
        path = Path(os.environ[FOLDER]) / f"{os.getpid()}.json"
        path.write_text(json.dumps(self.spent), encoding="utf-8")


def calibration() -> float:
    """Return the seconds of processor time of a loop, the least of five."""
    taken = []
    for _ in range(5):
        begun = time.process_time()
        sum(number * number % 7 for number in range(2_000_000))
        taken.append(time.process_time() - begun)
    return min(taken)


def write(folder: Path, *, is_whole: bool) -> None:
    """Write the table from what a run noted; a part keeps the other rows and the first line."""
    rows = {} if is_whole else dict(recorded().rows)
    now = calibration()
    scale = 1.0 if is_whole else recorded().calibration / now
    spent: dict[str, list[float]] = {}
    for path in folder.glob("*.json"):
        for nodeid, seconds in json.loads(path.read_text(encoding="utf-8")).items():
            spent.setdefault(function_of(nodeid), []).append(seconds)
    rows |= {name: Row(sum(each) * scale, len(each)) for name, each in spent.items()}
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    lines = [f"{machine}, calibration {now:.3f} s"]
    if not is_whole:
        lines = TABLE.read_text(encoding="utf-8").splitlines()[:1]
    by_file = itertools.groupby(sorted(rows.items()), lambda row: row[0].partition("::")[0])
    for file, tests in by_file:
        if (ROOT / file).exists():
            lines.append(file)
            lines += [f"{seconds:.3f} {n} {name[len(file) + 2 :]}" for name, (seconds, n) in tests]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
