"""Progress of a file that another program or the database writes or reads, on a terminal only."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final

from tqdm import tqdm

#: Seconds between two looks.
PAUSE: Final = 0.2


@contextlib.contextmanager
def shown(title: str, total: int, done: Callable[[], int]) -> Iterator[None]:
    """Show how fast a number of bytes grows while the block runs; nothing without a terminal.
    ``total``: the expected number of bytes. ``done``: returns the present number, from another
    thread.
    """
    bar = tqdm(desc=title, total=total or None, unit="B", unit_scale=True, disable=None)
    if bar.disable:
        yield
        return
    is_over = threading.Event()

    def look() -> None:
        while not is_over.wait(PAUSE):
            bar.update(done() - bar.n)

    thread = threading.Thread(target=look, name="progress", daemon=True)
    thread.start()
    try:
        yield
        bar.update(done() - bar.n)
    finally:
        is_over.set()
        thread.join()
        bar.close()
