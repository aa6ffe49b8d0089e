"""Ratings for display, and what is rated and played for points."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import msgspec
from django.db.models import Q

from accounts.models import User
from games import registry
from games.contract import Game, Rated
from games.engine.protocols import Rules
from games.engine.table import TableState
from games.matches.models import Match, Rating, RatingRun

#: A new player's values: mu 25 and sigma 25/3, shown as 1500.
START_MU: Final = 25.0
START_SIGMA: Final = 25.0 / 3
START: Final = 1500
#: Rating points per unit of ``mu``.
SCALE: Final = 40
#: A rating is provisional with fewer games than this, or with a larger ``sigma``.
SETTLED_GAMES: Final = 10
SETTLED_SIGMA: Final = 6.5


@dataclass(frozen=True, slots=True)
class RatingShown:
    rating: int
    is_provisional: bool
    games: int
    mu: float
    sigma: float


def pools() -> Mapping[str, tuple[str, Game, str]]:
    """Return the pools of ratings by name: the title, the game, and the mark of the matches, empty
    for all that are in no other pool.
    """
    found = {}
    for game in registry.games():
        if game.counts.rated is not Rated.NOBODY:
            found[game.slug] = (game.title, game, "")
            for mark, pool in game.counts.pools.items():
                found[f"{game.slug}-{mark}"] = (pool.title, game, mark)
    return found


def pool_in(game: Game, options: Any) -> str:
    """Return the mark of the pool of matches with these options, or their map; empty for the
    game's own.
    """
    for mark, pool in game.counts.pools.items():
        named = options if isinstance(options, Mapping) else msgspec.structs.asdict(options)
        if all(named[name] == term for name, term in pool.terms.items()):
            return mark
    return ""


def pool_of(game: str, mark: str) -> str:
    """Return the pool of a match with this mark."""
    return name if (name := f"{game}-{mark}") in pools() else game


def in_pool(name: str) -> Q:
    """Select the changes of rating in a pool."""
    _, game, mark = pools()[name]
    rated = Q(match__game=game.slug)
    return rated & (Q(match__mark=mark) if mark else ~Q(match__mark__in=[*game.counts.pools]))


def is_rated(game: Game, state: TableState) -> bool:
    """Whether a game counts for ratings: it or an option says so, and no bot plays."""
    is_meant = game.counts.rated is Rated.MANY or bool(getattr(state.options, "rated", False))
    return is_meant and not any(seat.bot for seat in state.taken)


def is_staked(rules: Rules[Any], state: TableState) -> bool:
    """Whether a table is played for points."""
    return rules.purse_limits(state.options)[1] > 0


class Scales:
    """The scale of stored changes of rating: those before a run over a pool are old. ``known``:
    pool -> its last run, where it was read before.
    """

    def __init__(self, known: Mapping[str, datetime | None] | None = None) -> None:
        self._known = known

    @cached_property
    def _swapped(self) -> Mapping[str, datetime | None]:
        if self._known is not None:
            return self._known
        return dict(RatingRun.objects.values_list("game", "swapped_at"))

    def since(self, pool: str) -> datetime | None:
        return self._swapped.get(pool)

    def is_old(self, match: Match) -> bool:
        if match.ended_at is None or not match.is_rated:
            return False
        since = self.since(pool_of(match.game, match.mark))
        return since is not None and match.ended_at < since


def shown(mu: float) -> int:
    """Convert ``mu`` to a rating for display, never below 0."""
    return max(0, round(START + SCALE * (mu - START_MU)))


def is_provisional(games: int, sigma: float) -> bool:
    return games < SETTLED_GAMES or sigma > SETTLED_SIGMA


def rating_of(user: User, pool: str) -> RatingShown:
    rows = Rating.objects.filter(user=user, game=pool).values_list("games", "mu", "sigma")
    return shown_of(rows.first())


def shown_of(row: tuple[int, float, float] | None) -> RatingShown:
    """Return a rating of these games, mu and sigma; None: nothing is rated yet."""
    games, mu, sigma = row or (0, START_MU, START_SIGMA)
    return RatingShown(shown(mu), is_provisional(games, sigma), games, mu, sigma)
