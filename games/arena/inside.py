"""People and bots in the arena: names, numbers and rivals, in one statement."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    Count,
    DateTimeField,
    F,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Cast

from accounts.models import User
from economy.sql import USERS, Compiled
from games.arena.models import Player
from games.arena.rounds import those_fighting
from games.arena.rules.options import RoundOptions

#: The most streaks that are shown.
MOST_STREAKS: Final = 10


class Inside(NamedTuple):
    """Somebody, or the number of those with a streak, or of the machines."""

    at: datetime | None
    user: int
    name: str
    streak: int
    is_machine: bool
    number: int


def read_inside(
    options: RoundOptions, most: int, told: Collection[int] | None
) -> Mapping[str, list[Inside]]:
    """Return by part: the first ``most`` of those who fight, and the numbers of ``all``; unless
    ``told`` is None the rivals, who are no machines: the best ``streaks``, the numbers of all
    ``places``, and the names of the ``told`` users.
    """
    found: dict[str, list[Inside]] = defaultdict(list)
    statement = _compiled(RoundOptions(survivor=options.survivor), most, told is not None)
    for part, *row in statement.rows(users=told or ()):
        found[part].append(Inside(*row))
    found["first"].sort()
    found["streaks"].sort(key=lambda row: (-row.streak, row))
    found["places"].sort(key=lambda row: -row.streak)
    return found


@cache
def _compiled(options: RoundOptions, most: int, has_rivals: bool) -> Compiled:
    return Compiled(lambda: _inside(options, most, has_rivals=has_rivals))


_NONE: Final = Cast(Value(None), DateTimeField())
_ZERO: Final = Value(0, BigIntegerField())
_MACHINE: Final = Case(
    When(Q(is_bot=True) | Q(user__is_program=True), then=True),
    default=False,
    output_field=BooleanField(),
)


def _inside(options: RoundOptions, most: int, *, has_rivals: bool) -> QuerySet[Any, Any]:
    def each(part: str, rows: QuerySet[Player]) -> QuerySet[Any, Any]:
        those = Player.objects.filter(pk__in=rows.values("pk"))
        return those.values_list(
            Value(part), "joined_at", "user", "user__username", "streak", _MACHINE, _ZERO
        )

    def counted(part: str, rows: QuerySet[Player], streak: Any) -> QuerySet[Any, Any]:
        # Values first, or the rows were grouped by their keys.
        return rows.values(part=Value(part)).values_list(
            "part", _NONE, _ZERO, Value(""), streak, _MACHINE, Count("pk")
        )

    inside = those_fighting(options)
    first = each("first", inside.order_by("joined_at", "user")[:most])
    if not has_rivals:
        return first.union(counted("all", inside, _ZERO), all=True)
    rivals = Player.objects.filter(is_in=True, is_bot=False, user__is_program=False, streak__gt=0)
    best = rivals.order_by("-streak", "joined_at", "user")[:MOST_STREAKS]
    told = User.objects.filter(pk__in=USERS).values_list(
        Value("told"), _NONE, "pk", "username", _ZERO, Value(value=False), _ZERO
    )
    return first.union(
        counted("all", inside, _ZERO),
        each("streaks", best),
        counted("places", rivals, F("streak")),
        told,
        all=True,
    )
