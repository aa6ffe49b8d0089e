"""The rating lists: the highest ratings of a game, and a player's main rating.  Read-only.
Source: docs/explanation/ratings.md.
"""

from dataclasses import dataclass

from accounts.models import User
from games import registry
from games.matches.models import Rating
from games.matches.queries.ratings import SETTLED_GAMES, SETTLED_SIGMA, rated_games, shown


@dataclass(frozen=True, slots=True)
class Leader:
    """One place of the rating list; places are never shared."""

    place: int
    user_id: int
    name: str
    avatar: str
    rating: int
    games: int


def main_rating(user: User) -> tuple[str, int] | None:
    """Return the title of the game that the user played most rated games of, and the rating."""
    rows = Rating.objects.filter(user=user, game__in=rated_games(), games__gt=0)
    row = rows.order_by("-games", "game").first()
    return (registry.get(row.game).title, shown(row.mu)) if row else None


def leaders(game: str, *, limit: int = 50, programs: bool = False) -> list[Leader]:
    """Return the people, or the programs, with the highest ratings that are not provisional. Equal
    ratings are in the order of more games, then of older accounts.  Closed accounts and bots are
    not listed.
    """
    settled = Rating.objects.filter(
        game=game, games__gte=SETTLED_GAMES, sigma__lte=SETTLED_SIGMA, user__is_active=True
    )
    rows = (
        settled.filter(user__is_program=programs)
        .order_by("-mu", "-games", "user")
        .values_list("user", "user__username", "user__avatar", "mu", "games")
    )
    return [
        Leader(place, user_id, name, avatar, shown(mu), games)
        for place, (user_id, name, avatar, mu, games) in enumerate(rows[:limit], start=1)
    ]
