"""The pages of the economy: wallet, stock, and the public overview."""

import csv
import io
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from economy.charts import Plot, plot
from economy.overview import SPANS, Overview, last_audit, overview
from economy.payouts import paid_to
from economy.selectors import balance_of, grant_after, settings_starting, stock_of
from economy.statement import (
    BadFilter,
    Filters,
    Line,
    fate_of,
    held_by,
    statement_chunk,
    statement_page,
    stock_page,
)
from economy.transfers import MovementKind, TransferCode, codes_of
from economy.units import Unit, complex_points, counted

PRIVATE = "no-store, private"


@require_GET
@login_required
def wallet(request: HttpRequest) -> HttpResponse:
    """Show a user's points: in the wallet, in games, and every movement."""
    filters = _filters(request)
    user_id = _user_id(request)
    page = statement_page(user_id, filters)
    context = {
        "points": balance_of(user_id),
        "y_points": balance_of(user_id, Unit.Y_POINT),
        "held": [held for held in held_by(user_id) if held.unit is Unit.POINT],
        "grant_left": _grant_left(request),
        "page": page,
        # A filter selects movements, so they are not grouped by game.
        "entries": entries_of(page.lines)
        if filters.is_empty
        else [Entry((line,)) for line in page.lines],
        "filters": filters,
        "kinds": list(MovementKind),
    }
    return _private(render(request, "economy/wallet.html", context))


@require_GET
@login_required
def wallet_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send a user's statement as a file, with the same filters as the page."""
    filters = _filters(request)
    response = StreamingHttpResponse(
        csv_lines(_user_id(request), filters), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = 'attachment; filename="statement.csv"'
    response["Cache-Control"] = PRIVATE
    return response


@require_GET
@login_required
def stock(request: HttpRequest) -> HttpResponse:
    """Show a user's weapons: in stock, in games, and what happened to the rest."""
    filters = _filters(request, only={"before"})
    user_id = _user_id(request)
    page = stock_page(user_id, before=filters.before)
    fates = fate_of(user_id, page.lines)
    context = {
        "stock": [
            (unit, count, counted(count, unit).partition(" ")[2])
            for unit, count in stock_of(user_id).items()
        ],
        "held": [held for held in held_by(user_id) if held.unit is not Unit.POINT],
        "page": page,
        "lines": [(line, fates.get(line.transfer_id, "")) for line in page.lines],
    }
    return _private(render(request, "economy/stock.html", context))


@require_GET
def economy_overview(request: HttpRequest) -> HttpResponse:
    """Show balances, flows and the proof that they add up."""
    span = _span(request)
    whole, numbers = overview(span), settings_starting("grant.")
    context = {
        "whole": whole,
        "audit": last_audit(),
        "plots": _plots(whole),
        "span": span,
        "spans": SPANS,
        "grant": {
            "now": grant_after(0, numbers),
            "whole": numbers["grant.signup"],
            "games": numbers["grant.games"],
        },
    }
    return render(request, "economy/overview.html", context)


def _plots(whole: Overview) -> list[Plot]:
    days = [day.day for day in whole.days]
    held = [day.treasury for day in whole.days]
    return [
        plot("Points made, by day", "minted", days, [day.minted for day in whole.days]),
        plot("Points used up, by day", "burnt", days, [day.burnt for day in whole.days]),
        plot("Treasury, at the end of each day", "treasury", days, held),
    ]


def _span(request: HttpRequest) -> int:
    said = dict(request.GET.lists())
    values = said.pop("days", [str(SPANS[0])])
    if said or len(values) != 1 or values[0] not in map(str, SPANS):
        raise BadRequest("days is one of the spans")
    return int(values[0])


def _filters(request: HttpRequest, only: set[str] | None = None) -> Filters:
    if only is not None and not only.issuperset(request.GET):
        raise BadRequest("an unknown key")
    try:
        return Filters.read(request.GET.lists())
    except BadFilter as problem:
        raise BadRequest(str(problem)) from problem


def _grant_left(request: HttpRequest) -> int:
    """Return the points of the grant that games with others still bring a new user."""
    numbers, user = settings_starting("grant."), cast("Any", request.user)
    if user.date_joined + timedelta(days=numbers["grant.days"]) < timezone.now():
        return 0
    return max(0, numbers["grant.signup"] - paid_to(user.pk, TransferCode.SIGNUP_GRANT)[1])


def _user_id(request: HttpRequest) -> int:
    user: Any = request.user
    return int(user.pk)


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = PRIVATE
    return response


_OF_GAMES: Final = frozenset(codes_of(MovementKind.GAME))


@dataclass(frozen=True, slots=True)
class Entry:
    """A game with its movements, the newest first, or a single movement."""

    lines: tuple[Line, ...]

    @property
    def newest(self) -> Line:
        return self.lines[0]

    @property
    def is_game(self) -> bool:
        return self.newest.code in _OF_GAMES

    @property
    def net(self) -> tuple[int, int]:
        """Points gained minus points lost, on each axis."""
        return self._sum(Unit.POINT), self._sum(Unit.Y_POINT)

    @property
    def sign(self) -> int:
        x, y = self.net
        return (x > 0) - (x < 0) or (y > 0) - (y < 0)

    @property
    def net_words(self) -> str:
        return f"{'+' if self.sign > 0 else ''}{complex_points(*self.net)}"

    @property
    def balance_words(self) -> str:
        """The balances afterwards, of the axes that the entry changed."""
        last = {line.unit: line.balance for line in reversed(self.lines)}
        return complex_points(last.get(Unit.POINT, 0), last.get(Unit.Y_POINT, 0))

    @property
    def words(self) -> str:
        if not self.is_game or len(self.lines) == 1:
            return self.newest.words
        return "Game"

    def _sum(self, unit: Unit) -> int:
        return sum(line.amount for line in self.lines if line.unit is unit)


def entries_of(lines: Iterable[Line]) -> list[Entry]:
    """Group the movements of each game at the place of the newest one."""
    found: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        is_game = line.code in _OF_GAMES
        key = (line.cause, 0) if is_game else ("", line.transfer_id)
        found.setdefault(key, []).append(line)
    return [Entry(tuple(together)) for together in found.values()]


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
