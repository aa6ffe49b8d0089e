"""Tables that a browser saves as files: CSV whose texts no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone

from economy.admin_links import seen_by
from economy.records import Change, actor_of, write_record

#: Rows a query of a download.
CHUNK: Final = 500
#: How spreadsheets begin a formula.
FORMULA: Final = frozenset("=+-@\t\r\n|\uff1d\uff0b\uff0d\uff20")

#: Takes a request and rows, returns the lines of a table.
Table = Callable[[HttpRequest, Sequence[Any]], Iterable[Sequence[Any]]]


def cell(value: Any) -> str | int:
    """Return a value as a spreadsheet may read it: no text of a user is a formula.
    >>> [cell(each) for each in ("=1+1", " @x", -5, True, None)]
    ["'=1+1", "' @x", -5, 'yes', '']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    if isinstance(value, date):
        return value.isoformat()
    text = "" if value is None else str(value)
    begins = {text[:1], text.lstrip()[:1]}
    return f"'{text}" if begins & FORMULA else text


def csv_file(
    name: str,
    titles: Sequence[str],
    chunks: Iterator[Sequence[Sequence[Any]]],
    content_type: str = "text/csv",
) -> StreamingHttpResponse:
    """Stream a table as a file; each chunk of lines is read in a thread."""
    answer = StreamingHttpResponse(_pieces(titles, chunks), content_type=content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


async def _pieces(
    titles: Sequence[str], chunks: Iterator[Sequence[Sequence[Any]]]
) -> AsyncIterator[str]:
    yield _written([titles])
    while (lines := await sync_to_async(lambda: next(chunks, None))()) is not None:
        if lines:
            yield _written(lines)


def _written(lines: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([cell(value) for value in line] for line in lines)
    return text.getvalue()


def download(
    request: HttpRequest, rows: QuerySet[Any], titles: Sequence[str], table: Table
) -> StreamingHttpResponse:
    """Stream rows of the admin, ``CHUNK`` a query, and record who downloads how many."""
    name = str(rows.model._meta.model_name)
    with transaction.atomic():
        change = Change({}, {"rows": rows.count()})
        write_record(actor_of(request.user), "list_downloaded", f"list:{name}", change=change)
    day = timezone.now().date().isoformat()
    return csv_file(f"{name}-{day}", titles, _chunks(request, rows, table))


def _chunks(
    request: HttpRequest, rows: QuerySet[Any], table: Table
) -> Iterator[Sequence[Sequence[Any]]]:
    last = 0
    while found := list(rows.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        last = found[-1].pk
        with seen_by(request):
            lines = list(table(request, found))
        yield lines
