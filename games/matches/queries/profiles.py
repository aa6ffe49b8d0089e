"""The data of a player's page.  Read-only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.away import away_among
from accounts.models import User
from economy.charts import Plot, plot
from games import registry
from games.contract import Game, Rated
from games.matches.models import Match, Replaced, Seat
from games.matches.queries import awards, ratings

#: The number of last duels listed.
SHOWN = 15
#: The plot's margin below the lowest rating, and its number of rated duels.
MARGIN, PLOTTED = 20, 100
#: Fewer games are too few for a statement on reliability.
LEAST_GAMES = 3


def profile_of(player: User, viewer: User | None) -> dict[str, Any]:
    """Return the data of a player's page for a viewer (None: a guest)."""
    return {
        "profiles": [
            _of_game(player, viewer, game)
            for game in registry.tables()
            if game.counts.rated is not Rated.NOBODY
        ],
        "ratio": awards.ratio_of(player),
        "reliability": None if player.is_bot else reliability_of(player),
        "away_until": away_among([player.pk], timezone.now().date()).get(player.pk),
    }


def _of_game(player: User, viewer: User | None, game: Game) -> dict[str, Any]:
    """Return a player's rating, records and last matches at a game with ratings."""
    recent = ratings.recent_matches(player, game.slug, limit=SHOWN)
    return {
        "game": game,
        "rating": ratings.rating_of(player, game.slug),
        "plot": rating_plot(player, game.slug),
        "records": ratings.record_of(player, game.slug),
        "recent": recent,
        "watchable": watchable(recent, viewer),
    }


def rating_plot(player: User, game: str) -> Plot | None:
    """Plot a player's rating after each of the last rated matches; None before the first."""
    history = ratings.rating_history(player, game, limit=PLOTTED)
    if not history:
        return None
    days = [history[0].at.date(), *(point.at.date() for point in history)]
    values = [history[0].before, *(point.after for point in history)]
    return plot("Rating", "rating", days, values, max(0, min(values) - MARGIN))


def watchable(duels: Sequence[ratings.RecentMatch], viewer: User | None) -> set[str]:
    """Return the public ids of those duels that the viewer may watch."""
    names = [duel.match_public_id for duel in duels]
    found = Match.objects.filter(public_id__in=names)
    if viewer is None:
        open_to = Q(listed=True, spectators=True)
    else:
        open_to = Q(spectators=True) | Q(pk__in=Seat.objects.filter(user=viewer).values("match"))
    return set(found.filter(open_to).values_list("public_id", flat=True))


@dataclass(frozen=True, slots=True)
class Reliability:
    """The numbers of games begun and played to the end; ``titles`` are the games that count."""

    started: int
    finished: int
    titles: tuple[str, ...]

    @property
    def is_new(self) -> bool:
        """Whether there are too few games for a statement."""
        return self.started < LEAST_GAMES


def reliability_of(user: User) -> Reliability:
    """Return a user's reliability: two queries.  Source: docs/explanation/agora.md "Absence".

    A finished game counts for the user who held the seat at its end, substitutes included.  A user
    who left or was replaced has not played to the end.  Voided games count for nobody.
    """
    games = [game for game in registry.tables() if game.counts.to_the_end]
    slugs = [game.slug for game in games]
    held = Seat.objects.filter(user=user, match__game__in=slugs, match__status=Match.Status.OVER)
    has_left = list(held.values_list("has_left", flat=True))
    gone = Replaced.objects.filter(user=user, match__game__in=slugs)
    replaced = gone.exclude(match__status=Match.Status.VOID).count()
    stayed = has_left.count(False)
    return Reliability(len(has_left) + replaced, stayed, tuple(game.title for game in games))
