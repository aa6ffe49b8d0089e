"""Links to the causes of transfers: matches at their tables, purchases in the shop."""

from collections.abc import Mapping

from django.urls import NoReverseMatch, reverse

from economy.cause_links import Cause, Link, register_links
from economy.codes import TransferCode
from games.matches.models import Match
from games.matches.queries.addresses import match_url

_PURCHASE = {TransferCode.PURCHASE, TransferCode.ITEM_ISSUE}
_MATCH = "match:"


def register() -> None:
    """Register these links with the economy's pages."""
    register_links(cause_links)


def cause_links(causes: frozenset[Cause]) -> Mapping[Cause, Link]:
    """Return the pages of these causes, the economy page for causes without one: one query."""
    ids = {cause: _match_id(cause.subject) for cause in causes}
    matches = Match.objects.only("game", "title", "public_id").in_bulk(
        {pk for pk in ids.values() if pk}
    )
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


def _match_id(subject: str) -> int:
    number = subject.removeprefix(_MATCH)
    return int(number) if subject.startswith(_MATCH) and number.isdigit() else 0
