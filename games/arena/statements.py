"""Reads of thousands of rows."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.db import connection

from economy.sql import fetch


def rows_of(columns: Sequence[str], rest: str, given: Sequence[Any]) -> list[list[Any]]:
    """Return the rows of a SELECT, in no order, ``rest`` being the statement from its FROM on;
    instants must not be among the columns.
    """
    # Raw SQL: the ORM took 2.2 times the time for 2,000 players (SQLite; 1.4 on PostgreSQL;
    # 2026-11-27).  SQLite gives one text, because each row would release the interpreter's lock.
    listed = ", ".join(columns)
    if connection.vendor == "postgresql":
        return list(map(list, fetch(f"SELECT {listed} {rest}", given)))
    ((text,),) = fetch(f"SELECT json_group_array(json_array({listed})) {rest}", given)
    rows: list[list[Any]] = msgspec.json.decode(text)
    return rows
