"""End a process when its parent ends, even if the parent is killed."""

import ctypes
import os
import signal
import sys
import threading
import time
from typing import Final

#: Linux: the signal that a process gets when the thread that started it is gone.
_PR_SET_PDEATHSIG: Final = 1
_GLANCE = 1.0


def ask_for_death_signal(number: int) -> None:
    """Make the kernel send this process a signal when its parent ends; only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number)


def die_with_parent(parent: int) -> None:
    """End this process at once when its parent ends or has ended, even by ``kill -9``. For the pool
    processes of a Celery worker, which otherwise wait forever for their parent.
    """
    ask_for_death_signal(signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    _watch(parent, patience=0.0)


def leave_with_parent(parent: int, patience: float) -> None:
    """End this process and its group ``patience`` seconds after its parent. For the children of the
    runner: after its end they get a signal to stop, and this ends those that do not.  Where the
    kernel sends no signal, this sends it first.
    """
    _watch(parent, patience)


def _watch(parent: int, patience: float) -> None:
    thread = threading.Thread(
        target=_wait_and_end, args=(parent, patience), name="parent", daemon=True
    )
    thread.start()


def _wait_and_end(parent: int, patience: float) -> None:
    while os.getppid() == parent:
        time.sleep(_GLANCE)
    if patience:
        if sys.platform != "linux":
            os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(patience)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
