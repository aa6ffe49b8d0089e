"""Operations on the caller's own data: points, statement, export."""

from typing import Annotated, Final, Literal

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from msgspec import Meta, field

from economy.selectors import balance_of, stock_of
from economy.statement import BadFilter, Filters, Line, held_by, statement_page
from economy.units import Unit
from games.api.answers import Export, HeldAmount, Me, StatementLine
from games.api.errors import BadCursor, BadQuery, NotByToken, OldLogIn
from games.api.operations import HEAVY, Answer, Call, Operation, Page, Paging
from games.engine.facts import instant, iso
from games.own_data.personal_data import export_of

_DAY: Final = r"^(\d{4}-\d{2}-\d{2})?$"


class Movements(Paging, frozen=True, kw_only=True):
    """The wanted movements; days are of UTC, both included."""

    kind: Literal["", "game", "shop", "bonus", "grant", "correction"] = ""
    direction: Literal["", "in", "out"] = ""
    since: Annotated[str, Meta(pattern=_DAY)] = field(default="", name="from")
    until: Annotated[str, Meta(pattern=_DAY)] = field(default="", name="to")


def _me(call: Call) -> Answer:
    user = call.caller
    held = [
        HeldAmount(
            each.unit.value,
            each.amount,
            *((each.link.title, each.link.url) if each.link else ("", "")),
        )
        for each in held_by(user.pk)
    ]
    stock = {unit.value: count for unit, count in stock_of(user.pk).items()}
    points, y_points = balance_of(user.pk), balance_of(user.pk, Unit.Y_POINT)
    return Answer(Me(user.username, points, y_points, stock, held), is_public=False)


def _statement(call: Call) -> Answer:
    wanted, user = call.given, call.caller
    given = {"kind": wanted.kind, "direction": wanted.direction}
    given |= {"from": wanted.since, "to": wanted.until}
    try:
        Filters.read([("before", [wanted.cursor])])
    except BadFilter:
        raise BadCursor from None
    try:
        filters = Filters.read(
            (name, [value]) for name, value in {**given, "before": wanted.cursor}.items()
        )
    except BadFilter:
        raise BadQuery from None
    page = statement_page(user.pk, filters, limit=wanted.limit)
    lines = [_line(line) for line in page.lines]
    return Answer(Page(lines, str(page.before) if page.before else None), is_public=False)


def _line(line: Line) -> StatementLine:
    title, url = line.link or ("", "")
    return StatementLine(
        id=line.transfer_id,
        at=iso(instant(line.at)),
        code=line.code.value,
        words=line.words,
        unit=line.unit.value,
        amount=line.amount,
        balance=line.balance,
        title=title,
        url=url,
    )


def _export(call: Call) -> Answer:
    user = call.caller
    if call.has_token:
        raise NotByToken
    try:
        _confirmed(call.request)
    except ReauthenticationRequired:
        raise OldLogIn from None
    return Answer(export_of(user), is_public=False)


@reauthentication_required
def _confirmed(_: HttpRequest) -> HttpResponse:
    """Do nothing, for a log-in whose password was asked for lately; as the site's own export."""
    return HttpResponse()


OPERATIONS: Final = (
    Operation("me", "me", "Your points, stock, and what is in running games", Me, _me),
    Operation("statement", "me/statement",
              "Your statement, the newest first; a game's lines stand together",
              Page[StatementLine], _statement, Movements, 2),
    Operation("export", "me/export",
              "Everything that the site stores about you; with a log-in, after your password",
              Export, _export, cost=4 * HEAVY),
)  # fmt: skip
