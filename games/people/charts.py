"""Numbers of people and games for the admin's front page; only sums, nothing of any one game."""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Min, QuerySet
from django.db.models.functions import TruncDate

from economy.charts import plot
from games.matches.models import Match, Seat

#: Days in the charts; weeks in the table.
DAYS: Final = 30
WEEKS: Final = 8
#: Seconds for which the numbers are cached.
FRESH_FOR: Final = 300


class Week(NamedTuple):
    """People who played their first game in a week; empty while the days to come back last."""

    begins: date
    new: int
    after_1_day: str
    after_7_days: str


def people_of(today: date) -> dict[str, Any]:
    """Return the plots of the last 30 days, today included, and the weeks of new players."""
    key = f"games:people:{today}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = {"plots": _plots(today), "weeks": _weeks(today)}
        cache.set(key, found, FRESH_FOR)
    return found


def _plots(today: date) -> list[Any]:
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    since = _midnight(days[0])
    over = Match.objects.filter(status=Match.Status.OVER)
    series = (
        ("Players a day", "players", _played(since), "match__started_at", "user"),
        ("Games begun", "begun", Match.objects.filter(started_at__gte=since), "started_at", "pk"),
        ("Games finished", "finished", over.filter(ended_at__gte=since), "ended_at", "pk"),
    )
    return [
        plot(title, name, days, [counts.get(day, 0) for day in days])
        for title, name, rows, instant, counted in series
        for counts in [_by_day(rows, instant, counted)]
    ]


def _by_day(rows: QuerySet[Any], instant: str, counted: str) -> dict[date, int]:
    days = rows.values_list(TruncDate(instant, tzinfo=UTC)).order_by()
    return dict(days.annotate(Count(counted, distinct=True)))


def _weeks(today: date) -> list[Week]:
    """Return the last weeks, the newest first: three numbers from the days on which people play."""
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=WEEKS - 1)
    starts = Seat.objects.filter(user__is_bot=False, match__started_at__isnull=False)
    began = starts.values("user").annotate(first=Min("match__started_at")).order_by()
    joined = dict(began.filter(first__gte=_midnight(first)).values_list("user", "first"))
    new, soon, later = Counter[date](), Counter[date](), Counter[date]()
    for instant in joined.values():
        new[_monday(instant)] += 1
    played = _played(_midnight(first)).annotate(day=TruncDate("match__started_at", tzinfo=UTC))
    back: set[tuple[int, bool]] = set()
    for user, day in played.values_list("user", "day").order_by().distinct():
        gap = (day - joined[user].date()).days if user in joined else 0
        if 1 <= gap < 14:
            back.add((user, gap >= 7))
    for user, is_later in back:
        (later if is_later else soon)[_monday(joined[user])] += 1
    weeks = [monday - timedelta(weeks=ago) for ago in range(WEEKS)]
    # The last newcomer of a week may come on its Sunday.
    return [
        Week(
            week,
            new[week],
            _share(soon[week], new[week]) if week + timedelta(days=13) < today else "",
            _share(later[week], new[week]) if week + timedelta(days=20) < today else "",
        )
        for week in weeks
    ]


def _share(part: int, whole: int) -> str:
    return f"{part} ({round(100 * part / whole)} %)" if whole else "0"


def _played(since: datetime) -> QuerySet[Seat]:
    return Seat.objects.filter(match__started_at__gte=since, user__is_bot=False)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _monday(instant: datetime) -> date:
    day = instant.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())
