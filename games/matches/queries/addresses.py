"""URLs of matches: some games have pages of their own, the others share a common one."""

from django.urls import reverse

from games import registry
from games.contract import Address, Game
from games.matches.models import Match

#: The URL names of the pages that are common to all games.
COMMON = Address()


def match_url(match: Match) -> str:
    """Return the path of a match's page."""
    return address_of(match.game, match.public_id)


def replay_url(match: Match) -> str:
    """Return the path of a finished match's replay."""
    return f"{match_url(match)}replay/"


def address_of(slug: str, public_id: str) -> str:
    """Return the path of a match's page, by game and public id."""
    game = registry.find(slug)
    return reverse(COMMON.match if game is None else game.address.match, args=[public_id])


def story_url(match: Match) -> str:
    """Return the path of the story of a finished match, empty where its game tells none."""
    story = registry.table(match.game).address.story
    return reverse(story, args=[match.public_id]) if story else ""


def list_url(game: Game) -> str:
    """Return the path of the page that lists a game's matches."""
    given = [game.slug] if game.address.list == COMMON.list else []
    return reverse(game.address.list, args=given)


def rules_url(game: Game) -> str:
    """Return the path of a game's rules."""
    given = [game.slug] if game.address.rules == COMMON.rules else []
    return reverse(game.address.rules, args=given)
