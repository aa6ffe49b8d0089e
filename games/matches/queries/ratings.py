"""Ratings and records for display.  Read-only.

Source: docs/explanation/ratings.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games import registry
from games.contract import Rated
from games.matches.models import Match, Rating, RatingChange, Seat
from games.matches.queries.summaries import read_summary

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
    """One player's rating; ``mu`` and ``sigma`` are the numbers behind it."""

    rating: int
    is_provisional: bool
    games: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """The change of one player's rating by one rated match."""

    at: datetime
    before: int
    after: int
    match_public_id: str
    opponent_name: str
    result: str


@dataclass(frozen=True, slots=True)
class Leader:
    """One place of the rating list; places are never shared."""

    place: int
    user_id: int
    name: str
    avatar: str
    rating: int
    games: int


@dataclass(frozen=True, slots=True)
class Record:
    """A player's number of matches of a kind won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of all three."""
        return self.won + self.drawn + self.lost


def rated_games() -> list[str]:
    """Return the games that have ratings."""
    return [game.slug for game in registry.games() if game.counts.rated is not Rated.NOBODY]


def shown(mu: float) -> int:
    """Convert ``mu`` to a rating for display, never below 0.

    >>> shown(25.0), shown(27.635389)
    (1500, 1605)
    """
    return max(0, round(START + SCALE * (mu - START_MU)))


def is_provisional(games: int, sigma: float) -> bool:
    """Whether a rating is provisional: few games, or a large uncertainty."""
    return games < SETTLED_GAMES or sigma > SETTLED_SIGMA


def rating_of(user: User, game: str) -> RatingShown:
    """Return a player's rating; that of a new player where there is none."""
    row = Rating.objects.filter(user=user, game=game).first()
    mu, sigma, games = (row.mu, row.sigma, row.games) if row else (START_MU, START_SIGMA, 0)
    return RatingShown(shown(mu), is_provisional(games, sigma), games, mu, sigma)


def rating_history(user: User, game: str, *, limit: int = 100) -> list[RatingPoint]:
    """Return the rating changes by a player's last rated matches, the oldest first."""
    there = Seat.objects.filter(match=OuterRef("match"))
    changes = RatingChange.objects.filter(user=user, match__game=game).annotate(
        opponent=Subquery(there.exclude(user=user).values("user__username")[:1]),
        result=Subquery(there.filter(user=user).values("result")[:1]),
    )
    rows = changes.order_by("-at", "-pk").values_list(
        "at", "before", "after", "match__public_id", "opponent", "result"
    )
    return [RatingPoint(*row) for row in rows[:limit]][::-1]


def leaders(game: str, *, limit: int = 50) -> list[Leader]:
    """Return the players with the highest ratings that are not provisional.

    Equal ratings are in the order of more games, then of older accounts.  Closed accounts and
    bots are not listed.
    """
    settled = Rating.objects.filter(
        game=game, games__gte=SETTLED_GAMES, sigma__lte=SETTLED_SIGMA, user__is_active=True
    )
    rows = settled.order_by("-mu", "-games", "user").values_list(
        "user", "user__username", "user__avatar", "mu", "games"
    )
    return [
        Leader(place, user_id, name, avatar, shown(mu), games)
        for place, (user_id, name, avatar, mu, games) in enumerate(rows[:limit], start=1)
    ]


def record_of(user: User, game: str) -> Mapping[str, Record]:
    """Return a player's record by kind of match: rated, unrated, staked.

    Each match is of one kind; matches without a result (abandoned, void) are left out.
    """
    mine = Seat.objects.filter(user=user, match__game=game, match__status=Match.Status.OVER)
    return {kind: _count(mine.filter(condition)) for kind, condition in _CONDITIONS.items()}


_CONDITIONS: Final[Mapping[str, Q]] = {
    "rated": Q(match__is_staked=False, match__is_rated=True),
    "unrated": Q(match__is_staked=False, match__is_rated=False),
    "staked": Q(match__is_staked=True),
}


def _count(seats: QuerySet[Seat]) -> Record:
    rows = seats.exclude(result="").values_list(F("result")).annotate(games=Count("pk"))
    return Record(**{str(result): games for result, games in rows.order_by()})


@dataclass(frozen=True, slots=True)
class RecentMatch:
    """One finished match from one player's side; ``score`` is (mine, theirs), ``net`` in points.

    ``result`` is won, drawn, lost or empty; ``change`` is None for a match that was not rated.
    """

    match_public_id: str
    title: str
    opponent_name: str
    opponent_is_bot: bool
    score: tuple[int, int]
    result: str
    change: int | None
    net: int
    ended_at: datetime


def recent_matches(user: User, game: str, *, limit: int = 20) -> list[RecentMatch]:
    """Return a player's last finished matches of a game for two, the newest first."""
    mine = Seat.objects.filter(user=user, match__game=game, match__status=Match.Status.OVER)
    seats = list(mine.select_related("match").order_by("-match__ended_at", "-pk")[:limit])
    ids = [seat.match_id for seat in seats]
    others = {
        seat.match_id: seat.user
        for seat in Seat.objects.filter(match__in=ids).exclude(user=user).select_related("user")
    }
    return [_recent(seat, others[seat.match_id]) for seat in seats if seat.match_id in others]


def _recent(seat: Seat, opponent: User) -> RecentMatch:
    match = seat.match
    summary = read_summary(match.summary)
    wins = summary.get("wins", [0, 0])
    return RecentMatch(
        match_public_id=match.public_id,
        title=match.title,
        opponent_name=opponent.username,
        opponent_is_bot=opponent.is_bot,
        score=(wins[seat.no], wins[1 - seat.no]),
        result=seat.result,
        change=seat.rating_change,
        net=seat.net or 0,
        ended_at=match.ended_at or match.opened_at,
    )
