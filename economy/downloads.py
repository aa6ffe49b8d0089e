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


def csv_text(lines: Iterable[Sequence[Any]]) -> str:
    """Return lines of a table as CSV."""
    text = io.StringIO()
    csv.writer(text).writerows([cell(value) for value in line] for line in lines)
    return text.getvalue()


def csv_file(name: str, pieces: AsyncIterator[str], content_type: str) -> StreamingHttpResponse:
    """Return the answer that streams CSV as a file, which no cache keeps."""
    answer = StreamingHttpResponse(pieces, content_type=content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


def download(
    request: HttpRequest, rows: QuerySet[Any], titles: Sequence[str], table: Table
) -> StreamingHttpResponse:
    """Stream rows as CSV, ``CHUNK`` a query, and record who downloads how many."""
    name = str(rows.model._meta.model_name)
    with transaction.atomic():
        change = Change({}, {"rows": rows.count()})
        write_record(actor_of(request.user), "list_downloaded", f"list:{name}", change=change)
    day = timezone.now().date().isoformat()
    return csv_file(f"{name}-{day}", _pieces(request, rows, titles, table), "text/csv")


async def _pieces(
    request: HttpRequest, rows: QuerySet[Any], titles: Sequence[str], table: Table
) -> AsyncIterator[str]:
    yield csv_text([titles])
    texts = _texts(request, rows, table)
    while text := await sync_to_async(lambda: next(texts, ""))():
        yield text


def _texts(request: HttpRequest, rows: QuerySet[Any], table: Table) -> Iterator[str]:
    last = 0
    while found := list(rows.filter(pk__gt=last).order_by("pk")[:CHUNK]):
        last = found[-1].pk
        with seen_by(request):
            text = csv_text(table(request, found))
        yield text
