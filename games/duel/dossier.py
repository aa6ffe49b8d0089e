"""Dossiers: what a player's throws of six months tell, and who may see it.
Source: docs/explanation/duels.md "Dossiers".
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Min, Sum
from django.utils import timezone

from accounts.models import HabitsChoice, User
from economy.charts import Plot, plot
from games.duel import SLUG
from games.duel.habits import ALL, FIRST, compute_stale
from games.duel.reading import HANDS, LEAST, VERSION, Edge, deviations, edge
from games.duel.rules.state import BEATS
from games.matches.models import DuelFigures, Habits, Match, Seat, of_match

#: Months of a dossier, the present one included.
MONTHS: Final = 6
#: Habits that it names, in how many throws each, and by how many standard deviations from chance.
NAMED, FEWEST, FAR = 3, 15, 3.0
RESULTS: Final = {"w": "win", "t": "tie", "l": "loss"}
#: A throw, against the same player's last one.
SHIFTS: Final = ("repeat", "up", "down")
#: Context and shift -> what was thrown.
_TO: Final = {
    **{(result, "repeat"): "the same again" for result in RESULTS},
    ("w", "up"): "what beats it",
    ("w", "down"): "what the loser threw",
    ("t", "up"): "what beats it",
    ("t", "down"): "what it beats",
    ("l", "up"): "what the winner threw",
    ("l", "down"): "what would have beaten the winner",
}

#: The times that each hand, or shift, was thrown.
Counts = Mapping[str, int]


class Habit(NamedTuple):
    """Something that was thrown ``times`` times of ``of``; by chance it is a third."""

    text: str
    times: int
    of: int

    @property
    def distance(self) -> float:
        """The distance from chance, in standard deviations."""
        return abs(deviations(self.times, self.of))


class MonthShown(NamedTuple):
    """A month's throws, and how well a reader read them."""

    month: date
    throws: int
    edge: Edge | None


class Dossier(NamedTuple):
    """A player's throws; below 30 no edge and no habits."""

    name: str
    throws: int
    hands: Counts
    first: Counts
    after: Mapping[str, Counts]
    edge: Edge | None
    months: list[MonthShown]
    habits: list[Habit]
    reader: int

    @property
    def plot(self) -> Plot | None:
        known = [(each.month, round(each.edge.value)) for each in self.months if each.edge]
        if len(known) < 2:
            return None
        days, values = zip(*known, strict=True)
        return plot("Edge by month", "rating", days, values, min(0, *values))

    @property
    def rows(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """The rows of the table after a result: label, and (count, percent) of each shift."""
        return [
            (result, [(count, _percent(count, sum(counts.values()))) for count in counts.values()])
            for result, counts in self.after.items()
        ]

    @property
    def shares(self) -> list[tuple[str, int, int, int]]:
        """The hands: count and percent of all throws, and count of first ones."""
        return [
            (hand, count, _percent(count, self.throws), self.first[hand])
            for hand, count in self.hands.items()
        ]


def _percent(count: int, of: int) -> int:
    return round(100 * count / of) if of else 0


def choice_of(user: User) -> HabitsChoice | None:
    """Return whether a user's habits are shown; None while the user was not asked."""
    return HabitsChoice.objects.filter(user=user).first()


def in_force(user_ids: Collection[int]) -> set[int]:
    """Return those of these users whose habits are shown: a change during a duel does not count
    before its end. One query, two after a change.
    """
    choices = {each.user_id: each for each in HabitsChoice.objects.filter(user__in=user_ids)}
    changed = [pk for pk, each in choices.items() if each.shows != each.showed]
    running = of_match(game=SLUG, status=Match.Status.RUNNING)
    seats = Seat.objects.filter(running, user__in=changed).values_list("user").order_by()
    since = dict(seats.annotate(Min("match__started_at"))) if changed else {}
    return {
        pk
        for pk, each in choices.items()
        if (each.showed if pk in since and since[pk] < each.at else each.shows)
    }


@transaction.atomic
def choose(
    user_id: int, *, shows: bool, is_known: bool = False, at: datetime | None = None
) -> None:
    """Store whether a user's habits are shown, and those of others to the user, and whether a bot
    may know them.
    """
    now = at or timezone.now()
    off = {"shows": False, "showed": False, "at": now}
    locked = HabitsChoice.objects.select_for_update()
    choice, _ = locked.get_or_create(user_id=user_id, defaults=off)
    choice.showed = user_id in in_force([user_id])
    choice.shows, choice.is_known, choice.at = shows, is_known, now
    choice.save()


def store_privacy(user: User, form: Mapping[str, str]) -> None:
    """Store the switches of "Who sees you"; who ticks none is still to be asked."""
    shows, is_known = "shows" in form, "known" in form
    if shows or is_known or choice_of(user):
        choose(user.pk, shows=shows, is_known=is_known)


def may_see(player: User, viewer: User | None) -> bool:
    """Whether a viewer (None: a guest) is the player, or both show their habits."""
    if viewer is None or player.is_machine:
        return False
    return viewer.pk == player.pk or in_force([player.pk, viewer.pk]) == {player.pk, viewer.pk}


def first_month(today: date) -> date:
    """Return the first of the months of a dossier."""
    back = today.year * 12 + today.month - MONTHS
    return date(back // 12, back % 12 + 1, 1)


def dossier_of(player: User, viewer: User | None, today: date | None = None) -> Dossier | None:
    """Return a player's dossier, None for who may not see it."""
    if not may_see(player, viewer):
        return None
    since = first_month(today or timezone.now().date())
    # A month in which a duel is hidden now is computed again before it is shown.
    compute_stale(player.pk, since)
    mine = DuelFigures.objects.filter(user=player, month__gte=since).order_by("month")
    months = list(mine.values("month").annotate(Sum("throws"), Sum("won"), Sum("lost")))
    rows = Habits.objects.filter(user=player, month__in=[row["month"] for row in months])
    counts = defaultdict[str, Counter[int]](Counter)
    for context, hand, count in rows.values_list("context", "hand", "count"):
        counts[context][hand] += count
    return _read(player.username, months, counts)


def _read(
    name: str, months: Sequence[Mapping[str, Any]], counts: Mapping[str, Counter[int]]
) -> Dossier:
    figures = [tuple(row[f"{each}__sum"] for each in ("throws", "won", "lost")) for row in months]
    whole = tuple(map(sum, zip(*figures, strict=True))) or (0, 0, 0)
    after = {result: _shifts(letter, counts) for letter, result in RESULTS.items()}
    return Dossier(
        name,
        whole[0],
        _hands(counts[ALL]),
        _hands(counts[FIRST]),
        after,
        edge(*whole),
        [
            MonthShown(row["month"], found[0], edge(*found))
            for row, found in zip(months, figures, strict=True)
        ],
        _habits(counts) if whole[0] >= LEAST else [],
        VERSION,
    )


def _hands(counts: Counter[int]) -> Counts:
    return {hand.value: counts[no] for no, hand in enumerate(HANDS)}


def _shifts(letter: str, counts: Mapping[str, Counter[int]]) -> Counts:
    """Return what was thrown after a win, tie or loss, against the player's last hand."""
    found = Counter[str]()
    for last in HANDS:
        for no, count in counts[f"ro:{letter}{last.value[0]}"].items():
            hand = HANDS[no]
            found["repeat" if hand == last else "up" if BEATS[hand] == last else "down"] += count
    return {shift: found[shift] for shift in SHIFTS}


def _habits(counts: Mapping[str, Counter[int]]) -> list[Habit]:
    """Return the habits that differ most from chance, at most one of each situation."""
    situations: dict[str, Counts] = {
        "All throws": _hands(counts[ALL]),
        "First throw": _hands(counts[FIRST]),
    }
    for letter, result in RESULTS.items():
        shifts = _shifts(letter, counts).items()
        situations[f"After a {result}"] = {_TO[letter, each]: count for each, count in shifts}
    for last in HANDS:
        situations[f"After {last.value}"] = _hands(counts[f"o:{last.value[0]}"])
    found = []
    for situation, thrown in situations.items():
        if (of := sum(thrown.values())) >= FEWEST:
            some = [Habit(f"{situation}: {what}", count, of) for what, count in thrown.items()]
            found.append(max(some, key=lambda habit: habit.distance))
    far = [habit for habit in found if habit.distance >= FAR]
    return sorted(far, key=lambda habit: -habit.distance)[:NAMED]
