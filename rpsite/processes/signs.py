"""Signs of life of a process for who started it, the name of its start, its end with its parent."""

import asyncio
import contextlib
import ctypes
import hashlib
import os
import signal
import socket
import sys
import threading
import time
from typing import Final

#: The runner's pipe, and its name of each start; then those of systemd.
PIPE: Final = "SITE_SIGNS"
START: Final = "SITE_START"
_SOCKET: Final = "NOTIFY_SOCKET"
_INVOCATION: Final = "INVOCATION_ID"
#: Variables of systemd that are for the runner, and not for its children.
FOR_PARENT: Final = (_SOCKET, "WATCHDOG_PID", "WATCHDOG_USEC")
#: Seconds between two signs of an event loop.
EVERY: Final = 2.0
#: Seconds for a start until the first sign: libraries are loaded, a database is looked at.
FIRST: Final = 180.0
#: Seconds between two looks of who watches.
LOOK: Final = 1.0


def sign() -> None:
    """Give a sign of life if somebody watches; never waits."""
    # Who watches may be gone, or have many to read.
    with contextlib.suppress(OSError):
        if pipe := os.environ.get(PIPE):
            os.write(int(pipe), b".")
        elif address := os.environ.get(_SOCKET):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
                wire.setblocking(False)
                wire.sendto(b"WATCHDOG=1", address.replace("@", "\0", 1))


async def give_signs() -> None:
    """Give signs as long as the event loop turns."""
    while True:
        sign()
        await asyncio.sleep(EVERY)


class Signs:
    """The signs of a process as who watches it sees them, by the watcher's clock in seconds."""

    def __init__(self, limit: float, now: float) -> None:
        self._limit = limit
        self._due_at = now + max(limit, FIRST)
        self._looked_at = now

    def note(self, now: float) -> None:
        self._due_at = now + self._limit

    def is_overdue(self, now: float) -> bool:
        """Look whether a sign is overdue; call it every ``LOOK`` seconds."""
        # After a late look the whole machine may have slept: waiting begins again.
        if now - self._looked_at > 5 * LOOK:
            self._due_at = max(self._due_at, now + self._limit)
        self._looked_at = now
        return now > self._due_at


def start_token(start: str) -> str:
    """Return the token of a start, by which its starter knows its own child: a hash, so that
    nothing of the environment is told.
    """
    return hashlib.sha256(start.encode()).hexdigest()[:16] if start else ""


def own_token() -> str:
    """Return the token of this process's start; "" if nobody has named it."""
    return start_token(os.environ.get(START) or os.environ.get(_INVOCATION, ""))


def end_with(parent: int, number: signal.Signals) -> None:
    ask_for_death_signal(number)
    if os.getppid() != parent:
        os._exit(1)


def ask_for_death_signal(number: int) -> None:
    """Make the kernel send this process a signal when its parent ends; only on Linux."""
    if sys.platform == "linux":
        # PR_SET_PDEATHSIG: sent when the thread that started this process is gone.
        ctypes.CDLL(None, use_errno=True).prctl(1, number)


def die_with_parent(parent: int) -> None:
    """End this process at once when its parent ends or has ended, even by ``kill -9``: a pool
    process of Celery would wait forever for its worker.
    """
    end_with(parent, signal.SIGKILL)
    leave_with_parent(parent, patience=0.0)


def leave_with_parent(parent: int, patience: float) -> None:
    """End this process and its group ``patience`` seconds after its parent; first a signal."""
    thread = threading.Thread(
        target=_wait_and_end, args=(parent, patience), name="parent", daemon=True
    )
    thread.start()


def _wait_and_end(parent: int, patience: float) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    if patience:
        if sys.platform != "linux":
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(patience)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
