"""A player's counts, ratings and goals for every viewer: one statement, once a second."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import (
    BigIntegerField,
    CharField,
    Count,
    DateTimeField,
    F,
    FloatField,
    IntegerField,
    JSONField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.shared import Shared
from economy.parts import given
from economy.sql import Compiled, Given, GivenMany
from games import registry
from games.contract import Figure, OnProfile
from games.matches.models import Match, Rating, RatingRun, ReachedGoal, Seat, Thumb, of_match
from games.matches.queries.ratings import RatingShown, shown_of


@dataclass(frozen=True, slots=True)
class Record:
    """A player's number of matches won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost


class Tally(NamedTuple):
    """A player's finished matches of a game: ``listed`` of them are; ``net`` and the best ``pot``
    are in points.
    """

    games: int
    won: int
    drawn: int
    lost: int
    listed: int
    staked: int
    net: int
    pot: int


class Standing(NamedTuple):
    """A player's finished matches, ratings and their last runs, by game, the goals reached, the
    numbers of games without matches, cups and thumbs: the same for every viewer.
    """

    tallies: Mapping[str, Tally]
    ratings: Mapping[str, RatingShown]
    runs: Mapping[str, datetime | None]
    goals: Mapping[str, datetime]
    others: Mapping[str, list[Figure]]
    thumbs: int

    @property
    def are_all_listed(self) -> bool:
        return all(each.listed == each.games for each in self.tallies.values())

    def record(self, game: str) -> Record:
        """Return the record in a game (empty: in all), unlisted matches included."""
        counted = [each[1:4] for slug, each in self.tallies.items() if game in ("", slug)]
        return Record(*map(sum, zip(*counted, strict=True)))


_USER: Final = Given("user", BigIntegerField())
_POT: Final = Cast(
    KeyTextTransform("pot", Cast("match__summary", JSONField())), output_field=IntegerField()
)


def _tallies() -> QuerySet[Any, Any]:
    over = of_match(game__in=GivenMany("games", CharField()), status=Match.Status.OVER)
    # An expression: by the column, SQLite would read all matches in the order of its index.
    seats = Seat.objects.filter(over, user=_USER).order_by()
    games = seats.annotate(name=Concat("match__game", Value("")), part=Value("tally"))
    counts = games.values("part", "name").annotate(
        games=Count("pk"),
        **{result: Count("pk", filter=Q(result=result)) for result in ("won", "drawn", "lost")},
        listed=Count("pk", filter=Q(match__listed=True)),
        staked=Count("pk", filter=Q(match__is_staked=True)),
        points=Coalesce(Sum("net"), 0),
        pot=Coalesce(Max(_POT, filter=Q(result="won")), 0),
        mu=Value(0.0, FloatField()),
        sigma=Value(0.0, FloatField()),
        moment=Cast(Value(None, DateTimeField()), DateTimeField()),
    )
    return counts.values_list(*_COLUMNS)


_NUMBERS: Final = ("games", "won", "drawn", "lost", "listed", "staked", "points", "pot")
_COLUMNS: Final = ("part", "name", *_NUMBERS, "mu", "sigma", "moment")


def _standing(others: Mapping[str, OnProfile]) -> QuerySet[Any, Any]:
    nothing = Value(0, BigIntegerField())
    given: dict[str, Any] = dict.fromkeys(_COLUMNS, nothing)
    given |= {"mu": Value(0.0, FloatField()), "sigma": Value(0.0, FloatField())}
    given["moment"] = Cast(Value(None, DateTimeField()), DateTimeField())

    def padded(part: str, rows: QuerySet[Any, Any], **columns: Any) -> QuerySet[Any, Any]:
        all_columns = {**given, "part": Value(part), **columns}
        named = {f"_{name}": column for name, column in all_columns.items()}
        return rows.annotate(**named).values_list(*named)

    mine = {"user": _USER}
    thumbs = Thumb.objects.filter(receiver=OuterRef("pk")).order_by().values("receiver")
    return _tallies().union(
        padded("rating", Rating.objects.filter(**mine), name=F("game"), games=F("games"),
               mu=F("mu"), sigma=F("sigma")),
        padded("run", RatingRun.objects.all(), name=F("game"), moment=F("swapped_at")),
        padded("goal", ReachedGoal.objects.filter(**mine), name=F("goal"), moment=F("at")),
        *(padded("other", each.rows().filter(**mine), name=Value(slug),
                 **dict(zip(_NUMBERS, map(F, each.columns), strict=False)))
          for slug, each in others.items()),
        padded("thumbs", User.objects.filter(pk=_USER), name=Value(""),
               games=Coalesce(Subquery(thumbs.annotate(number=Count("pk")).values("number")), 0)),
        all=True,
    )  # fmt: skip


@cache
def _compiled(games: tuple[str, ...]) -> tuple[Compiled, Mapping[str, OnProfile]]:
    """Return the statement and what is on profiles besides matches, by game."""
    named = {slug: registry.get(slug).figures for slug in games}
    others = {slug: import_string(name) for slug, name in named.items() if name}
    for cups in given("cups"):
        others["cups"] = cups
    return Compiled(lambda: _standing(others)), others


def _read_standing(user_id: int) -> Standing:
    statement, others = _compiled(games := registry.slugs())
    found: dict[str, dict[str, Sequence[Any]]] = {
        part: {} for part in ("tally", "rating", "run", "goal", "other", "thumbs")
    }
    for part, name, *rest in statement.rows(user=user_id, games=games):
        found[part][name] = rest
    return Standing(
        {game: Tally(*map(int, row[:8])) for game, row in found["tally"].items()},
        {game: shown_of((row[0], *row[8:10])) for game, row in found["rating"].items()},
        {game: row[10] for game, row in found["run"].items()},
        {goal: row[10] for goal, row in found["goal"].items()},
        {
            game: others[game].show(*map(int, row[: len(others[game].columns)]))
            for game, row in found["other"].items()
        },
        sum(int(row[0]) for row in found["thumbs"].values()),
    )


standing_of: Final = Shared(_read_standing)
