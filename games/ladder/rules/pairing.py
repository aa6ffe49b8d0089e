"""The next pairs, and what a program and a pair may play in a day. Instants are seconds.
Source: docs/explanation/ladder.md.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

#: Seconds that a program waits for another one.
PATIENCE: Final = 5.0
HOUR: Final = 3_600.0
DAY: Final = 86_400.0
#: Rated matches of a pair in a day; a program's first ones, all against the house.
PAIR_DAILY: Final = 3
FIRST_MATCHES: Final = 20

Pair = tuple[int, int]


class Waiting(NamedTuple):
    """A program that may be paired; ``rated``: its rated matches."""

    user: int
    mu: float
    since: float
    rated: int

    @property
    def is_new(self) -> bool:
        return self.rated < FIRST_MATCHES


class Pace(NamedTuple):
    """Matches of a program in an hour and a day, and the seconds between two."""

    hourly: int
    daily: int
    rest: float


def pair_of(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def pairs(
    waiting: Iterable[Waiting], house: Collection[Waiting], met: Mapping[Pair, int], at: float
) -> list[Pair]:
    """Return who plays whom: the longest waiting first, each with those met least in the day, of
    these with the nearest rating; new ones, and those who have waited long, with the house.
    """
    found = list[Pair]()
    left = sorted(waiting, key=lambda one: (one.since, one.user))
    while left:
        one, *left = left
        others: Collection[Waiting] = [] if one.is_new else [o for o in left if not o.is_new]
        if one.is_new or (not others and at - one.since > PATIENCE):
            others = house
        if others:
            other = min(
                others,
                key=lambda o: (met.get(pair_of(one.user, o.user), 0), abs(o.mu - one.mu), o.user),
            )
            left = [o for o in left if o.user != other.user]
            found.append((one.user, other.user))
    return found


class LastDay:
    """The matches of the last 24 hours: by pair, rated ones too, and by program."""

    def __init__(self) -> None:
        self.met: Counter[Pair] = Counter()
        self._rated: Counter[Pair] = Counter()
        self._ends: dict[int, deque[float]] = defaultdict(deque)
        self._all: deque[tuple[float, Pair, bool]] = deque()

    def add(self, pair: Pair, at: float, is_rated: bool) -> None:
        pair = pair_of(*pair)
        self._all.append((at, pair, is_rated))
        self._count(pair, is_rated, 1)
        for user in pair:
            self._ends[user].append(at)

    def forget(self, at: float) -> None:
        """Forget what ended more than a day ago."""
        while self._all and self._all[0][0] <= at - DAY:
            _, pair, is_rated = self._all.popleft()
            self._count(pair, is_rated, -1)
            for user in pair:
                self._ends[user].popleft()

    def may_rate(self, pair: Pair) -> bool:
        return self._rated[pair_of(*pair)] < PAIR_DAILY

    def may_play(self, user: int, at: float, pace: Pace) -> bool:
        """Whether a program has rested and is below the numbers of matches of an hour and a day."""
        ends = self._ends.get(user)
        if not ends:
            return True
        lately = sum(end > at - HOUR for end in ends)
        return ends[-1] + pace.rest <= at and lately < pace.hourly and len(ends) < pace.daily

    def _count(self, pair: Pair, is_rated: bool, number: int) -> None:
        for counts in (self.met, *([self._rated] if is_rated else [])):
            counts[pair] += number
            if not counts[pair]:
                del counts[pair]
