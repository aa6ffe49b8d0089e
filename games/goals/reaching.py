"""Goals that players reach: in the batch that ends a match, or where another game tells it.
Source: docs/explanation/goals.md.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from games import registry
from games.contract import Goal, Happened, TableGame
from games.matches.journal.reading import find_facts
from games.matches.models import Match, ReachedGoal, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.reactions import Reaction

#: A goal of no game: days in a row with a finished daily table.
DAILY: Final = "daily/streak"
DAILY_DAYS: Final = 5
_DAILY_GOAL: Final = Goal(
    "streak", "Five days in a row", "Finish the daily table on five days in a row."
)


class Goals(Reaction):
    """Stores the goals that people have reached in the matches that a batch ends."""

    #: The matches that the batch has ended by play, with the seats as they were then.
    ended: tuple[tuple[LockedMatch, Mapping[int, Seat]], ...] = ()

    def closed(self, locked: LockedMatch) -> None:
        if locked.has_just_ended and locked.game.goals and people_at(locked.seats):
            self.ended = (*self.ended, (locked, locked.seats))

    def written(self, changed: Sequence[LockedMatch]) -> None:
        if not self.ended:
            return
        before = facts_of({each.match.pk: each.game for each, _ in self.ended}, is_live=True)
        reached = list[ReachedGoal]()
        for locked, seats in self.ended:
            kinds = _kinds(locked.game)
            now = [(told.kind, told.data) for told in locked.told if told.kind in kinds]
            facts = [*before.get(locked.match.pk, ()), *now]
            reached += reached_in(locked.match, locked.state.play, seats, facts, locked.now)
        keep(reached)


def people_at(seats: Mapping[int, Seat]) -> dict[int, int]:
    """Return seat -> user, without bots and programs."""
    return {no: seat.user_id for no, seat in seats.items() if not seat.user.is_machine}


def reached_in(
    match: Match, play: Any, seats: Mapping[int, Seat], facts: Sequence[Happened], at: datetime
) -> Iterator[ReachedGoal]:
    """Yield the goals that people have reached in a finished match, not stored."""
    people = people_at(seats)
    for goal in registry.table(match.game).goals:
        for no in goal.seats(play, facts) if goal.seats else ():
            if no in people:
                key = f"{match.game}/{goal.name}"
                yield ReachedGoal(user_id=people[no], goal=key, match=match, at=at)


def facts_of(games: Mapping[int, TableGame], *, is_live: bool) -> dict[int, list[Happened]]:
    """Return match -> the stored facts that its goals need, in their order: one query, none where
    they need none. ``is_live``: none of the matches is archived.
    """
    wanted = {pk: game for pk, game in games.items() if _kinds(game)}
    found: dict[int, list[Happened]] = {pk: [] for pk in wanted}
    if wanted:
        kinds = frozenset().union(*map(_kinds, wanted.values()))
        for entry, fact in find_facts(wanted, kinds, is_live=is_live):
            if fact.kind in _kinds(wanted[entry.match_id]):
                found[entry.match_id].append((fact.kind, fact.data))
    return found


def _kinds(game: TableGame) -> frozenset[str]:
    return frozenset().union(*(goal.kinds for goal in game.goals))


def keep(reached: Collection[ReachedGoal]) -> None:
    """Store goals; those that a user has already stay as they are. No statement for none."""
    if reached:
        # In one order, so that two transactions never wait for each other.
        rows = sorted(reached, key=lambda row: (row.user_id, row.goal))
        ReachedGoal.objects.bulk_create(rows, ignore_conflicts=True)


def reach(pairs: Collection[tuple[int, str]], at: datetime) -> None:
    """Store goals of users outside of matches, but none of bots and programs; no query for none."""
    if not pairs:
        return
    people = User.objects.filter(pk__in={user for user, _ in pairs}, is_bot=False, is_program=False)
    known = set(people.values_list("pk", flat=True))
    keep([ReachedGoal(user_id=pk, goal=key, at=at) for pk, key in pairs if pk in known])


def all_goals() -> dict[str, Goal]:
    """Return the goals of the installed games by key, in registry order."""
    found = {f"{game.slug}/{goal.name}": goal for game in registry.games() for goal in game.goals}
    return {**found, DAILY: _DAILY_GOAL}


def lines_after(users: Iterable[int], **reached: Any) -> dict[int, str]:
    """Return user -> the line on the goals that meet a condition, such as ``match``: one query."""
    rows = ReachedGoal.objects.filter(user__in=users, **reached).values_list("user", "goal")
    stored, titles = set(rows), dict[int, list[str]]()
    for key, goal in all_goals().items():
        for user in (user for user, found in stored if found == key):
            titles.setdefault(user, []).append(goal.title)
    return {user: f"Goal reached: {', '.join(some)}." for user, some in titles.items()}


def goals_of(player: User, reached: Mapping[str, datetime], *, is_own: bool) -> dict[str, Any]:
    """Return what a player's page shows: the goals reached, and for their owner the first that is
    missing in each game.
    """
    goals = all_goals()
    missing: dict[str, Goal] = {}
    for key, goal in goals.items():
        if is_own and not player.is_machine and key not in reached:
            missing.setdefault(key.partition("/")[0], goal)
    return {
        "reached": [
            (goal.title, goal.about, reached[key]) for key, goal in goals.items() if key in reached
        ],
        "missing": list(missing.values()),
        "number": len(goals),
    }
