"""Reliability of a user: games played to their end, of the games that count it.

Source: docs/agora.md "Absence".
"""

from dataclasses import dataclass
from typing import Final

from accounts.models import User
from games import registry
from games.matches.models import Match, Replaced, Seat

#: Fewer games are too few for a statement.
LEAST: Final = 3


@dataclass(frozen=True, slots=True)
class Reliability:
    """The numbers of games begun and played to the end; ``titles`` are the games that count."""

    started: int
    finished: int
    titles: tuple[str, ...]

    @property
    def is_new(self) -> bool:
        """Whether there are too few games for a statement."""
        return self.started < LEAST


def reliability_of(user: User) -> Reliability:
    """Return a user's reliability: two queries.

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
