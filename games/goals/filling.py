"""Goals of games from before there were goals, in portions while the site runs."""

from collections.abc import Iterator
from typing import Final

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.models import User
from games import registry
from games.goals.reaching import DAILY, DAILY_DAYS, facts_of, keep, reach, reached_in
from games.matches.journal.loading import standing
from games.matches.models import Match

#: Matches read together; what they give is one statement.
PORTION: Final = 100


def matches_with_goals() -> QuerySet[Match]:
    """Return the finished matches of games with goals, the oldest first."""
    slugs = [game.slug for game in registry.tables() if game.goals]
    return Match.objects.filter(status=Match.Status.OVER, game__in=slugs).order_by("pk")


def fill() -> Iterator[int]:
    """Give all goals of stored matches and figures, and yield how many matches each time."""
    last, numbers = 0, matches_with_goals().values_list("pk", flat=True)
    while ids := list(numbers.filter(pk__gt=last)[:PORTION]):
        _fill(ids)
        last = ids[-1]
        yield len(ids)
    streaks = User.objects.filter(daily_streak__gte=DAILY_DAYS).values_list("pk", flat=True)
    pairs = [(pk, DAILY) for pk in streaks]
    for game in registry.games():
        if game.past_goals:
            told = import_string(game.past_goals)()
            pairs += [(user, f"{game.slug}/{name}") for user, name in told]
    for first in range(0, len(pairs), PORTION):
        reach(pairs[first : first + PORTION], timezone.now())


def _fill(ids: list[int]) -> None:
    snapshots = standing(ids)
    facts = facts_of({pk: each.game for pk, each in snapshots.items()}, is_live=False)
    keep(
        [
            goal
            for pk, each in snapshots.items()
            for goal in reached_in(
                each.match,
                each.state.play,
                each.seats,
                facts.get(pk, ()),
                each.match.ended_at or each.match.opened_at,
            )
        ]
    )
