"""URLs of matches: a game's own pages, or the common ones."""

from collections.abc import Mapping
from functools import cache

from django.urls import NoReverseMatch, reverse

from economy.causes import Cause, Link
from economy.transfers import TransferCode
from games import registry
from games.contract import Address, Game
from games.matches.models import Match
from games.matches.models.matches import match_of

COMMON = Address()
_PUBLIC_ID = "PUBLIC-ID"
_PURCHASE = {TransferCode.PURCHASE, TransferCode.ITEM_ISSUE}


def match_url(match: Match) -> str:
    return address_of(match.game, match.public_id)


def replay_url(match: Match) -> str:
    return f"{match_url(match)}replay/"


def address_of(slug: str, public_id: str) -> str:
    game = registry.find(slug)
    page = _page_of_match(COMMON.match if game is None else game.address.match)
    return page.replace(_PUBLIC_ID, public_id)


@cache
def _page_of_match(name: str) -> str:
    return reverse(name, args=[_PUBLIC_ID])


def story_url(match: Match) -> str:
    """Return the path of the story of a finished match, "" where its game tells none."""
    story = registry.table(match.game).address.story
    return reverse(story, args=[match.public_id]) if story else ""


def list_url(game: Game) -> str:
    given = [game.slug] if game.address.list == COMMON.list else []
    return reverse(game.address.list, args=given)


def rules_url(game: Game) -> str:
    given = [game.slug] if game.address.rules == COMMON.rules else []
    return reverse(game.address.rules, args=given)


def cause_links(causes: frozenset[Cause]) -> Mapping[Cause, Link]:
    """Return the pages of these causes, else the economy page: one query."""
    ids = {cause: pk for cause in causes if (pk := match_of(cause.subject))}
    matches = Match.objects.only("game", "title", "public_id").in_bulk(set(ids.values()))
    found = {
        cause: Link(matches[pk].title, match_url(matches[pk]))
        for cause, pk in ids.items()
        if pk in matches
    }
    economy = Link("Economy", reverse("economy_overview"))
    try:
        shop = Link("Shop", reverse("shop"))
    except NoReverseMatch:  # No installed game has one.
        shop = economy
    others: dict[str, Link] = {
        TransferCode.PRIZE: Link("Leaderboard", reverse("leaderboard")),
        TransferCode.REFERRAL: Link("Invitations", reverse("invite")),
    }
    for cause in causes - found.keys():
        found[cause] = shop if cause.code in _PURCHASE else others.get(cause.code, economy)
    return found
