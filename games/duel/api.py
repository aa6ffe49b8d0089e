"""The duel's operation of the reading API: a dossier."""

from typing import Annotated, Any, Final

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from accounts.models import User, named
from games.api.answers import Day, Shown
from games.api.errors import Refusal
from games.api.operations import caller_of, reads
from games.duel import SLUG
from games.duel.dossier import dossier_of


class EdgeShown(Shown):
    """The throws in 100 that a reader wins above those that it loses, and the half of its interval
    of 95 %.
    """

    value: float
    give_or_take: float


class HabitShown(Shown):
    """Something that was thrown ``times`` times of ``of``; chance is a third."""

    text: str
    times: int
    of: int


class MonthOfThrows(Shown):
    """A month; ``edge`` is null below 30 throws."""

    month: Day
    throws: int
    edge: EdgeShown | None


class DossierShown(Shown):
    """A player's throws of six months; ``after`` counts repeats and shifts after each result.
    ``reader`` is the version of the reader.
    """

    name: str
    throws: int
    hands: dict[str, int]
    first: dict[str, int]
    after: dict[str, dict[str, int]]
    edge: EdgeShown | None
    months: list[MonthOfThrows]
    habits: list[HabitShown]
    reader: int


router: Final = Router()


@reads(router, f"me/{SLUG}/dossier",
       "Your habits of throwing, or those of a player who shows them to you", DossierShown,
       2)  # fmt: skip
def dossier(
    request: HttpRequest, response: HttpResponse, player: Annotated[str, Query(max_length=40)] = ""
) -> Any:
    viewer = caller_of(request, response)
    asked = User.objects.filter(named(player), is_active=True) if player else [viewer]
    found = next((dossier_of(each, viewer) for each in asked), None)
    if found is None:
        raise Refusal("not_found")
    months = [{**each._asdict(), "month": each.month.isoformat()} for each in found.months]
    return {**found._asdict(), "months": months}
