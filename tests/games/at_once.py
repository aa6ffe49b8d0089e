"""Calls at one moment, in threads that commit for real."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

from economy.errors import LedgerError
from games.kernel.errors import IllegalAction


def all_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads released together; return results and refusals in order."""
    together = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        together.wait(10)
        try:
            return call()
        except (IllegalAction, LedgerError) as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
