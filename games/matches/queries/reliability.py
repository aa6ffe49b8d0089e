"""How reliable somebody is: how many games one has played to their end, of those that count it.

Source: docs/agora.md "Absence".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from accounts.models import User
from games import registry
from games.matches.models import Match, Replaced, Seat

#: Fewer games say nothing about somebody.
LEAST: Final = 3


@dataclass(frozen=True, slots=True)
class Reliability:
    """So many games were begun, so many of them played to the end; ``titles`` of which games."""

    started: int
    finished: int
    titles: tuple[str, ...]

    @property
    def is_new(self) -> bool:
        """Whether that is too few to say anything."""
        return self.started < LEAST


def reliability_of(user: User) -> Reliability:
    """Return what became of the games that a user began: two queries.

    A game that ended counts for who then held the seat, also for who came as a substitute; having
    left it, or having been replaced, is not having played it to the end.  What was called off
    counts for nobody.
    """
    games = [game for game in registry.tables() if game.counts.to_the_end]
    slugs = [game.slug for game in games]
    held = Seat.objects.filter(user=user, match__game__in=slugs, match__status=Match.Status.OVER)
    has_left = list(held.values_list("has_left", flat=True))
    gone = Replaced.objects.filter(user=user, match__game__in=slugs)
    replaced = gone.exclude(match__status=Match.Status.VOID).count()
    stayed = has_left.count(False)
    return Reliability(len(has_left) + replaced, stayed, tuple(game.title for game in games))
