"""Read the processor time and memory of processes, and stolen time, from /proc."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
#: The processors on which the bench may run.
_OURS = sorted(os.sched_getaffinity(0))


def family(pid: int) -> set[int]:
    """Return a process and its descendants."""
    children: dict[int, list[int]] = {}
    for directory in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            children.setdefault(int(_fields(int(directory.name))[1]), []).append(
                int(directory.name)
            )
    found, waiting = {pid}, [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of processes and their descendants, in seconds.

    The time of an ended descendant counts for its parent.
    """
    everybody = set().union(*(family(pid) for pid in pids))
    return sum(_cpu_of(pid) for pid in everybody)


def process_seconds(pid: int) -> float:
    """Return the processor time of one process without its children, in seconds.

    Raises:
        OSError: it has ended.
    """
    return sum(int(ticks) for ticks in _fields(pid)[11:13]) / _TICK


def waited_seconds(pid: int) -> float:
    """Return how long a process's threads were ready to run and had no processor, in seconds.

    Raises:
        OSError: it has ended, or the kernel does not count this.
    """
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[1]) for task in tasks) / 1e9


def halves() -> tuple[set[int], set[int]]:
    """Return two halves of the available processors; the same one twice if there is one."""
    half = len(_OURS) // 2
    return set(_OURS[: half or None]), set(_OURS[half:])


def stolen_seconds() -> float:
    """Return the processor time that other virtual machines took from this one, in seconds."""
    return int(Path("/proc/stat").read_text().split()[8]) / _TICK


def proportional_kib(pid: int) -> int:
    """Return a process's proportional memory in KiB (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    raise ValueError(f"/proc/{pid}/smaps_rollup names no Pss")


def _cpu_of(pid: int) -> float:
    try:
        fields = _fields(pid)
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15]) / _TICK


def _fields(pid: int) -> list[str]:
    """Return the fields of /proc/<pid>/stat after the name: state, parent, ..."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
