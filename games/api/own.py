"""Operations on the caller's own data: points, statement, export."""

from typing import Annotated, Any, Final, Literal

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Query, Router
from pydantic import Field

from economy.selectors import balance_of, stock_of
from economy.statement import BadFilter, Filters, Line, held_by, statement_page
from economy.units import Unit
from games.api.answers import Export, Me, Page, StatementLine
from games.api.errors import Refusal
from games.api.operations import BEARER, HEAVY, Paging, caller_of, reads
from games.own_data.personal_data import export_of

Day = Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
router: Final = Router()


class Movements(Paging):
    """The wanted movements; days are of UTC, both included."""

    kind: Literal["", "game", "shop", "bonus", "grant", "correction"] = ""
    direction: Literal["", "in", "out"] = ""
    since: Day = Field("", alias="from")
    until: Day = Field("", alias="to")


@reads(router, "me", "Your points, stock, and what is in running games", Me)
def me(request: HttpRequest, response: HttpResponse) -> Any:
    user = caller_of(request, response)
    held = [
        {
            "unit": each.unit.value,
            "amount": each.amount,
            "title": each.link.title if each.link else "",
            "url": each.link.url if each.link else "",
        }
        for each in held_by(user.pk)
    ]
    return {
        "name": user.username,
        "points": balance_of(user.pk),
        "y_points": balance_of(user.pk, Unit.Y_POINT),
        "stock": {unit.value: count for unit, count in stock_of(user.pk).items()},
        "held": held,
    }


@reads(router, "me/statement", "Your statement, the newest first; a game's lines stand together",
       Page[StatementLine], 2)  # fmt: skip
def statement(request: HttpRequest, response: HttpResponse, wanted: Query[Movements]) -> Any:
    user = caller_of(request, response)
    given = wanted.model_dump(by_alias=True, exclude={"cursor", "limit"})
    try:
        Filters.read([("before", [wanted.cursor])])
    except BadFilter:
        raise Refusal("bad_cursor") from None
    try:
        given["before"] = wanted.cursor
        filters = Filters.read((name, [value]) for name, value in given.items())
    except BadFilter:
        raise Refusal("bad_query") from None
    page = statement_page(user.pk, filters, limit=wanted.limit)
    lines = [_line(line) for line in page.lines]
    return {"items": lines, "next": str(page.before) if page.before else None}


def _line(line: Line) -> dict[str, Any]:
    title, url = line.link or ("", "")
    return {
        "id": line.transfer_id,
        "at": line.at,
        "code": line.code.value,
        "words": line.words,
        "unit": line.unit.value,
        "amount": line.amount,
        "balance": line.balance,
        "title": title,
        "url": url,
    }


@reads(router, "me/export",
       "Everything that the site stores about you; with a log-in, after your password", Export,
       4 * HEAVY)  # fmt: skip
def export(request: HttpRequest, response: HttpResponse) -> StreamingHttpResponse:
    user = caller_of(request, response)
    if BEARER in request.META:
        raise Refusal("not_by_token")
    try:
        _confirmed(request)
    except ReauthenticationRequired:
        raise Refusal("reauthenticate") from None
    streamed = StreamingHttpResponse(export_of(user), content_type="application/json")
    streamed["Cache-Control"] = "no-store, private"
    return streamed


@reauthentication_required
def _confirmed(_: HttpRequest) -> HttpResponse:
    """Do nothing, for a log-in whose password was asked for lately; as the site's own export."""
    return HttpResponse()
