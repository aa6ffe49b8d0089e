"""The pages of the economy: wallet, stock, and the public overview."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from economy.admin_pages import csv_file
from economy.charts import Plot, plot
from economy.overview import SPANS, Overview, last_audit, overview
from economy.selectors import Purse, grant_after, settings_starting, stock_of
from economy.statement import (
    Entry,
    Filters,
    Line,
    entries_of,
    fate_of,
    held_by,
    statement_chunks,
    stock_page,
    wallet_page,
)
from economy.units import Unit, counted


@require_GET
@login_required
def wallet(request: HttpRequest) -> HttpResponse:
    """Show a user's points: in the wallet, in games, and every movement."""
    filters = Filters.read(request.GET.lists())
    user_id = _user_id(request)
    page, purse, held = wallet_page(user_id, filters)
    context = {
        "points": purse.balances.get(Unit.POINT, 0),
        "y_points": purse.balances.get(Unit.Y_POINT, 0),
        "held": [each for each in held if each.unit is Unit.POINT],
        "grant_left": _grant_left(request, purse),
        "page": page,
        # A filter selects movements, so they are not grouped by game.
        "entries": [Entry((line,)) for line in page.lines]
        if filters.query()
        else entries_of(page.lines),
        "filters": filters,
    }
    return render(request, "economy/wallet.html", context)


@require_GET
@login_required
def wallet_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send a user's statement as a file, with the same filters as the page."""
    chunks = statement_chunks(_user_id(request), Filters.read(request.GET.lists()))
    lines = ([_cells(line) for line in chunk] for chunk in chunks)
    return csv_file("statement", COLUMNS, lines, "text/csv; charset=utf-8")


@require_GET
@login_required
def stock(request: HttpRequest) -> HttpResponse:
    """Show a user's weapons: in stock, in games, and what happened to the rest."""
    filters = Filters.read(request.GET.lists())
    if set(request.GET) - {"before"}:
        raise BadRequest("an unknown key")
    user_id = _user_id(request)
    page = stock_page(user_id, before=filters.values["before"])
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
    return render(request, "economy/stock.html", context)


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


def _grant_left(request: HttpRequest, purse: Purse) -> int:
    """Return the points of the grant that games with others still bring a new user."""
    numbers, user = purse.grant, cast("Any", request.user)
    if user.date_joined + timedelta(days=numbers["grant.days"]) < timezone.now():
        return 0
    return max(0, numbers["grant.signup"] - purse.granted)


def _user_id(request: HttpRequest) -> int:
    user: Any = request.user
    return int(user.pk)


COLUMNS: Final = (
    "line", "at (UTC)", "what", "kind of transfer", "unit", "amount", "balance", "cause",
)  # fmt: skip


def _cells(line: Line) -> Sequence[str | int]:
    return (
        line.transfer_id,
        line.at.strftime("%Y-%m-%d %H:%M:%S"),
        line.words,
        line.code,
        line.unit.label,
        line.amount,
        line.balance,
        line.link.title if line.link else "",
    )
