"""Calls at one moment, in threads that commit for real."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection, connections

from economy.errors import LedgerError
from games.engine.errors import IllegalAction
from tests.boot import PATIENCE


def all_at_once(calls: Iterable[Callable[[], Any]]) -> list[Any]:
    """Run the calls in threads released together; return results and refusals in order."""
    calls = list(calls)
    together = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        together.wait(PATIENCE)
        try:
            return call()
        except (IllegalAction, LedgerError) as refusal:
            return refusal
        finally:
            connections.close_all()

    connection.close()
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
