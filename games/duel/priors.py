"""Knowledge of bots about people's throws before a duel: counts by context, fixed at its start.
Source: docs/explanation/duels.md "Bots".
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from typing import Final

from django.db.models import QuerySet, Sum
from django.utils import timezone

from accounts.models import HabitsChoice
from games.duel.bot import nature_of
from games.duel.dossier import first_month
from games.duel.habits import ALL
from games.duel.reading import Counts
from games.matches.models import DuelFigures, Habits

#: A veteran knows the players of this number of duels of people, the newest: more would cost more
#: time than they tell.
NEWEST: Final = 300
#: Fewer throws of a person's own tell nothing.
LEAST_KNOWN: Final = 100
#: The most throws that count in a context, so that those of the duel itself count too.
MOST_OF_ALL, MOST_OF_ONE = 60, 300


def prior_of(name: str, people: Collection[int]) -> Counts:
    """Return what a bot knows: of everybody, or of the one person whom it plays if that is allowed;
    nothing for other bots.
    """
    plays, today = nature_of(name).plays, timezone.now().date()
    if plays == "all":
        newest = DuelFigures.objects.order_by("-pk").values_list("user", flat=True)[:NEWEST]
        return _counts(Habits.objects.filter(user__in=set(newest)), today, MOST_OF_ALL)
    if plays == "yours" and len(people) == 1:
        allowed = HabitsChoice.objects.filter(user__in=people, is_known=True).values("user")
        mine = Habits.objects.filter(user__in=allowed)
        threw = mine.filter(context=ALL, month__gte=first_month(today)).aggregate(Sum("count"))
        if (threw["count__sum"] or 0) >= LEAST_KNOWN:
            return _counts(mine, today, MOST_OF_ONE)
    return {}


def _counts(rows: QuerySet[Habits], today: date, most: int) -> Counts:
    """Return the counts of six months by context of the observer, none of more than ``most``."""
    summed = rows.filter(month__gte=first_month(today), context__contains=":")
    found = defaultdict[str, list[float]](lambda: [0, 0, 0])
    for context, hand, count in summed.values_list("context", "hand").annotate(Sum("count")):
        found[context][hand] = count
    return {context: _at_most(most, counts) for context, counts in found.items()}


def _at_most(most: int, counts: list[float]) -> list[float]:
    total = counts[0] + counts[1] + counts[2]
    return counts if total <= most else [count * most / total for count in counts]
