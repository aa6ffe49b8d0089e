"""Links to the causes of transfers: matches at their tables, purchases in the shop."""

from collections.abc import Mapping

from django.urls import NoReverseMatch, reverse

from economy.cause_links import Cause, Link
from economy.codes import TransferCode
from games.matches.models import Match
from games.matches.queries.addresses import match_url

_PURCHASE = {TransferCode.PURCHASE, TransferCode.ITEM_ISSUE}
_MATCH = "match:"


def cause_links(causes: frozenset[Cause]) -> Mapping[Cause, Link]:
    """Return the pages of these causes, the economy page for causes without one: one query."""
    named = {cause: cause.subject.removeprefix(_MATCH) for cause in causes}
    ids = {
        cause: int(number)
        for cause, number in named.items()
        if number.isdigit() and cause.subject.startswith(_MATCH)
    }
    matches = Match.objects.only("game", "title", "public_id").in_bulk(set(ids.values()))
    found = {
        cause: Link(matches[pk].title, match_url(matches[pk]))
        for cause, pk in ids.items()
        if pk in matches
    }
    economy = Link("Economy", reverse("economy_overview"))
    shop = _page("Shop", "shop", economy)
    others: dict[str, Link] = {
        TransferCode.PRIZE: Link("Leaderboard", reverse("leaderboard")),
        TransferCode.REFERRAL: Link("Invitations", reverse("invite")),
    }
    for cause in causes - found.keys():
        found[cause] = shop if cause.code in _PURCHASE else others.get(cause.code, economy)
    return found


def _page(title: str, name: str, otherwise: Link) -> Link:
    """Return the page of this URL name, or ``otherwise`` where no installed game has it."""
    try:
        return Link(title, reverse(name))
    except NoReverseMatch:
        return otherwise
