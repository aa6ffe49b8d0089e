"""Habits of throwing, by month: counted in the batch that ends a duel, or again from journals.
Source: docs/explanation/duels.md "Habits".
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import DateField, QuerySet
from django.db.models.functions import TruncMonth

from accounts.models import HabitsChoice, User
from economy.sql import BulkRows
from games.duel import SLUG
from games.duel.reading import HANDS, VERSION, Counts, Observer, Thrown, from_seat, hands_in, read
from games.duel.rules.state import FirstState, Reason
from games.matches.journal.loading import standing
from games.matches.journal.reading import find_facts
from games.matches.models import DuelFigures, Habits, Match, Seat, of_match
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction
from games.own_data.personal_data import OwnData, paged

#: Contexts beside the observer's: every hand, and the first of a duel.
ALL, FIRST = "all", "first"
#: The first number of the advisory locks, before that of a user.
LOCK: Final = 52
_UNCOUNTED: Final = (Reason.ABANDONED, Reason.MISSED, Reason.VOID)
_THROWS: Final = ("hands_revealed", "throw_voided")
_SHOWN: Final = {"game": SLUG, "status": Match.Status.OVER, "listed": True, "spectators": True}
_HABIT: Final = ("user", "month", "context", "hand")
_HABITS: Final = BulkRows(Habits, (*_HABIT, "count"), _HABIT)
_DUEL: Final = ("match", "user")
_FIGURES: Final = BulkRows(
    DuelFigures, (*_DUEL, "month", "throws", "won", "lost", "version"), _DUEL
)
_MONTH: Final = TruncMonth("match__ended_at", output_field=DateField(), tzinfo=UTC)

#: A user's month.
Month = tuple[int, date]
#: Duels, each with its throws as one user made them, in the order of their ends.
Duels = Sequence[tuple[int, Sequence[Thrown]]]


class CountedHabits(Reaction):
    """Counts the habits of both players in the duels that a batch ends."""

    ended: tuple[tuple[LockedMatch, Mapping[int, Seat]], ...] = ()

    def closed(self, locked: LockedMatch) -> None:
        if locked.has_just_ended and locked.match.game == SLUG and _may_count(locked.state.play):
            self.ended = (*self.ended, (locked, locked.seats))

    def written(self, changed: Sequence[LockedMatch]) -> None:
        if not self.ended:
            return
        users = {seat.user_id for _, seats in self.ended for seat in seats.values()}
        _hold(users)
        people = _people(users)
        threw = _throws([locked.match.pk for locked, _ in self.ended], is_live=True)
        duels = defaultdict[Month, list[tuple[int, Sequence[Thrown]]]](list)
        # Of two that end at once in the order in which they are computed again.
        for locked, seats in sorted(self.ended, key=lambda each: (each[0].at, each[0].match.pk)):
            players = [seats[no].user_id for no in sorted(seats)]
            match_id, month = locked.match.pk, locked.now.date().replace(day=1)
            new = [hands_in(told.data) for told in locked.told if told.kind in _THROWS]
            throws = threw[match_id] + new
            for no, user_id in enumerate(players if people.issuperset(players) else ()):
                duels[user_id, month].append((match_id, from_seat(no, throws)))
        _keep(duels, _stored(duels))


def _may_count(play: FirstState) -> bool:
    """Whether anybody may replay a finished duel that was really played, and it wants to count."""
    options, result = play.options, play.result
    is_open = options.listed and options.spectators and getattr(options, "dossiers", True)
    return is_open and result is not None and result.reason not in _UNCOUNTED


def _hold(user_ids: Collection[int]) -> None:
    """Hold off others that count for these users, or ban them, until the transaction ends."""
    # The last locks of all: matches, accounts and rows of users come before.
    if connection.vendor == "postgresql":
        # Raw SQL: the ORM has no advisory locks.
        with connection.cursor() as cursor:
            for user_id in sorted(user_ids):
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK, user_id])


def _people(user_ids: Collection[int]) -> set[int]:
    """Return the people among these users who are neither banned nor deleted."""
    people = User.objects.filter(pk__in=user_ids, is_active=True, is_bot=False, is_program=False)
    return set(people.values_list("pk", flat=True))


def _throws(match_ids: Collection[int], *, is_live: bool = False) -> dict[int, list[Thrown]]:
    """Return the stored throws of duels, as seat 0 made them: one query, or two."""
    found: dict[int, list[Thrown]] = {match_id: [] for match_id in match_ids}
    for entry, fact in find_facts(match_ids, _THROWS, is_live=is_live):
        found[entry.match_id].append(hands_in(fact.data))
    return found


def _stored(months: Collection[Month]) -> dict[Month, dict[str, list[int]]]:
    """Return the counts of users' months."""
    found: dict[Month, dict[str, list[int]]] = {each: {} for each in months}
    rows = Habits.objects.filter(
        user__in={user for user, _ in months}, month__in={month for _, month in months}
    )
    for user, month, context, hand, count in rows.values_list(*_HABIT, "count"):
        if (user, month) in found:
            found[user, month].setdefault(context, [0, 0, 0])[hand] = count
    return found


def _keep(duels: Mapping[Month, Duels], before: Mapping[Month, Counts]) -> None:
    """Add duels to months with these counts: two statements."""
    habits, figures = [], []
    for (user, month), played in duels.items():
        counts = before[user, month]
        for match_id, throws in played:
            counts, found = counted(counts, throws)
            figures.append((match_id, user, month, *found, VERSION))
        habits += [
            (user, month, context, hand, count)
            for context, hands in counts.items()
            for hand, count in enumerate(hands)
            if count
        ]
    _HABITS.upsert(habits)
    _FIGURES.upsert(figures)


def counted(before: Counts, throws: Sequence[Thrown]) -> tuple[Counts, tuple[int, int, int]]:
    """Return a month's counts with one more duel, and its figures: throws, and those that a reader
    who knows the month won and lost.
    """
    counts = {context: list(hands) for context, hands in before.items()}
    hands = [HANDS.index(own) for own, _ in throws if own is not None]
    for context, some in ((ALL, hands), (FIRST, hands[:1])):
        for hand in some:
            counts.setdefault(context, [0, 0, 0])[hand] += 1
    observer = Observer(counts)
    won = [cell.won for cell in read(throws, observer)]
    return observer.counts, (len(hands), won.count(1), won.count(-1))


def _seats(**conditions: Any) -> QuerySet[Seat]:
    """Return all seats of the finished duels in everybody's lists in which such a user played."""
    mine = Seat.objects.filter(of_match(**_SHOWN), **conditions)
    return Seat.objects.filter(match__in=mine.values("match")).order_by("match__ended_at", "match")


@transaction.atomic
def compute(user_id: int, month: date) -> None:
    """Count a user's month again from its journals, without the duels that are hidden now."""
    _hold([user_id])
    # First, so that it waits for who is marking the month.
    for model in (Habits, DuelFigures):
        model._default_manager.filter(user=user_id, month=month).delete()
    until = date(month.year + month.month // 12, month.month % 12 + 1, 1)
    since, end = (datetime(each.year, each.month, 1, tzinfo=UTC) for each in (month, until))
    seats = _seats(user=user_id).filter(match__ended_at__gte=since, match__ended_at__lt=end)
    played = defaultdict[int, dict[int, int]](dict)
    for match_id, no, user in seats.values_list("match", "no", "user"):
        played[match_id][user] = no
    people = _people({user for players in played.values() for user in players})
    ids = [pk for pk, players in played.items() if people.issuperset(players)]
    plays = standing(ids)
    shown = [pk for pk in ids if pk in plays and _may_count(plays[pk].state.play)]
    threw = _throws(shown)
    duels = [(pk, from_seat(played[pk][user_id], threw[pk])) for pk in shown]
    _keep({(user_id, month): duels}, {(user_id, month): {}})


def compute_stale(user_id: int, since: date) -> None:
    """Count a user's months again in which a duel was hidden, or is not hidden any more, or that
    another version of the reader read: one query, mostly.
    """
    found = DuelFigures.objects.filter(user=user_id, month__gte=since).exclude(version=VERSION)
    for month in set(found.values_list("month", flat=True)):
        compute(user_id, month)


def fill() -> Iterator[None]:
    """Count all months from their journals, and yield after each."""
    people = {"user__is_bot": False, "user__is_program": False}
    months = _seats(**people).filter(**people).order_by("user").values_list("user", _MONTH)
    for each in list(months.distinct()):
        compute(*each)
        yield


def look_again(
    instance: User,
    created: bool,
    raw: bool,
    update_fields: Collection[str] | None = None,
    **_: object,
) -> None:
    """Receive post_save: a new person's habits are shown. After a ban, its end, or a deletion the
    months of all duels of the user are computed again before they are shown.
    """
    is_told = not instance.is_active if update_fields is None else "is_active" in update_fields
    if created and not raw and not instance.is_machine:
        yes = dict.fromkeys(("shows", "showed", "is_known"), True)
        HabitsChoice.objects.create(user=instance, at=instance.date_joined, **yes)
    elif is_told and not created:
        _hold([instance.pk])
        seats = _seats(user=instance.pk).filter(user__is_bot=False)
        months = seats.values_list("match", "user", _MONTH)
        _FIGURES.upsert([(pk, user, month, 0, 0, 0, 0) for pk, user, month in months])


def _rows_of(user: User) -> Iterator[Mapping[str, Any]]:
    for choice in HabitsChoice.objects.filter(user=user):
        yield {"shown": choice.shows, "known": choice.is_known, "since": choice.at}
    for habit in paged(Habits.objects.filter(user=user)):
        told = {name: getattr(habit, name) for name in ("month", "context", "count")}
        yield {**told, "hand": HANDS[habit.hand].value}
    for duel in paged(DuelFigures.objects.filter(user=user).select_related("match")):
        told = {name: getattr(duel, name) for name in ("throws", "won", "lost")}
        yield {"game": duel.match.public_id, "month": duel.month, **told}


def _blank(user: User) -> None:
    for model in (Habits, DuelFigures, HabitsChoice):
        model._default_manager.filter(user=user).delete()


OWN_DATA: Final = OwnData("habits", _rows_of, lambda _: "", _blank)
