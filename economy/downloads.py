"""A statement as a CSV file, streamed line by line."""

import csv
import io
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Final

from asgiref.sync import sync_to_async

from economy.filters import Filters
from economy.statement import Line, statement_chunk
from economy.units import Unit

COLUMNS: Final = (
    "line", "at (UTC)", "what", "kind of transfer", "unit", "amount", "balance", "cause",
)  # fmt: skip
#: Characters that start a formula in spreadsheets.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def plain(text: str) -> str:
    """Escape a text so that no spreadsheet reads the cell as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


async def csv_lines(user_id: int, filters: Filters) -> AsyncIterator[str]:
    """Yield the selected lines of a user's points, oldest first, a few hundred per query."""
    yield _written([COLUMNS])
    after, balances = 0, Counter[Unit]()
    while True:
        load = sync_to_async(statement_chunk)
        lines, after = await load(user_id, filters, after, balances)
        if lines:
            yield _written([_cells(line) for line in lines])
        if not after:
            return


def _cells(line: Line) -> Sequence[str | int]:
    return (
        line.transfer_id,
        line.at.strftime("%Y-%m-%d %H:%M:%S"),
        plain(line.words),
        plain(line.code),
        plain(line.unit.label),
        line.amount,
        line.balance,
        plain(line.link.title if line.link else ""),
    )


def _written(rows: Sequence[Sequence[str | int]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()
