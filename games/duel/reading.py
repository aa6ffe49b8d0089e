"""Reading a player of rock, paper, scissors: what comes next, and how well it was foretold. Pure;
+ - * / in one fixed order (`sum` rounds otherwise from Python 3.12 on), so that every machine gives
the same bits. A mixture of experts: Cesa-Bianchi and Lugosi, "Prediction, Learning, and Games".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log2, sqrt
from typing import Any, Final, NamedTuple

from games.duel.rules.state import BEATS, Hand

#: The version of the observer, which stands beside its figures.
VERSION: Final = 1
HANDS: Final = tuple(Hand)
UNIFORM: Final = (1 / 3, 1 / 3, 1 / 3)
#: The fewest throws with a figure; below it only counts are told.
LEAST: Final = 30
#: A normal interval of 95 %.
_SIGMAS: Final = 1.96

#: Probabilities or counts of rock, paper and scissors.
Triple = tuple[float, float, float]
#: What a seat threw, and its opponent; None: no hand in time.
Thrown = tuple[Hand | None, Hand | None]
#: Counts of the next hand by context, as `contexts_of` names them.
Counts = Mapping[str, Sequence[float]]


def hands_in(data: Mapping[str, Any]) -> Thrown:
    """Return both hands of a throw's fact, or of one in a view; none of a void one."""
    first, second = data.get("hands", (None, None))
    return first and Hand(first), second and Hand(second)


def from_seat(no: int, throws: Sequence[Thrown]) -> Sequence[Thrown]:
    """Return throws as seat ``no`` made them, from those of seat 0."""
    return [(second, first) for first, second in throws] if no else throws


def deviations(times: int, of: int) -> float:
    """Return how many standard deviations above chance a hand was thrown ``times`` times."""
    return (times - of / 3) / sqrt(max(1, of) * 2 / 9)


def _result(own: Hand, theirs: Hand) -> str:
    return "t" if own == theirs else "w" if BEATS[own] == theirs else "l"


def _codes(last: Sequence[tuple[Hand, Hand]], size: int, code: Callable[[Hand, Hand], str]) -> str:
    """Return the codes of the last throws, oldest first; empty while there are too few."""
    return "".join(code(*pair) for pair in last[-size:]) if len(last) >= size else ""


#: The contexts, each with its letters and its number of throws: own last; own last two; result and
#: own last; their last two; result alone.
_CONTEXTS: Final[Mapping[str, tuple[int, Callable[[Hand, Hand], str]]]] = {
    "o": (1, lambda own, _: own.value[0]),
    "oo": (2, lambda own, _: own.value[0]),
    "ro": (1, lambda own, theirs: _result(own, theirs) + own.value[0]),
    "tt": (2, lambda _, theirs: theirs.value[0]),
    "r": (1, _result),
}


def contexts_of(last: Sequence[tuple[Hand, Hand]]) -> tuple[str, ...]:
    """Return the contexts of the next throw, such as ``ro:wp`` after a win with paper.
    >>> contexts_of([(Hand.PAPER, Hand.ROCK)])
    ('o:p', '', 'ro:wp', '', 'r:w')
    """
    found = ((name, _codes(last, size, code)) for name, (size, code) in _CONTEXTS.items())
    return tuple(f"{name}:{codes}" if codes else "" for name, codes in found)


class Observer:
    """Foretells one player's throws from the earlier ones of both, and optionally counts from
    before. ``begin_again`` at the start of a duel: the last throws of another are no context.
    """

    def __init__(self, prior: Counts | None = None) -> None:
        self._counts = {context: list(counts) for context, counts in (prior or {}).items()}
        self._weights = [1 / (len(_CONTEXTS) + 1)] * (len(_CONTEXTS) + 1)
        self._last: list[tuple[Hand, Hand]] = []

    @property
    def counts(self) -> Counts:
        return self._counts

    def begin_again(self) -> None:
        self._last = []

    def expected(self) -> Triple:
        """Return the probabilities of the next hand."""
        first = second = third = 0.0
        for weight, opinion in zip(self._weights, self._opinions(), strict=True):
            first += weight * opinion[0]
            second += weight * opinion[1]
            third += weight * opinion[2]
        total = first + second + third
        return first / total, second / total, third / total

    def learn(self, own: Hand | None, theirs: Hand | None) -> None:
        """Take a throw in; one without a hand of either says nothing, and is no context."""
        if own is None or theirs is None:
            return self.begin_again()
        place = HANDS.index(own)
        total = 0.0
        for expert, opinion in enumerate(self._opinions()):
            self._weights[expert] *= opinion[place]
            total += self._weights[expert]
        self._weights = [weight / total for weight in self._weights]
        for context in filter(None, contexts_of(self._last)):
            self._counts.setdefault(context, [0, 0, 0])[place] += 1
        self._last = [*self._last[-1:], (own, theirs)]
        return None

    def _opinions(self) -> list[Triple]:
        """Return what each expert expects, the uniform one first."""
        return [UNIFORM, *map(self._opinion, contexts_of(self._last))]

    def _opinion(self, context: str) -> Triple:
        counts = self._counts.get(context)
        if counts is None:
            return UNIFORM
        first, second, third = counts
        total = first + second + third + 1.5
        return (first + 0.5) / total, (second + 0.5) / total, (third + 0.5) / total


def best_reply(expected: Triple) -> Hand | None:
    """Return the hand that wins most above what it loses; None while none is better than another.
    >>> best_reply((0.5, 0.3, 0.2)).value
    'paper'
    """
    by_hand = dict(zip(HANDS, expected, strict=True))
    gains = {hand: by_hand[BEATS[hand]] - by_hand[BEATS[BEATS[hand]]] for hand in HANDS}
    most = max(gains.values())
    found = [hand for hand, gain in gains.items() if gain == most]
    return found[0] if len(found) == 1 else None


class Cell(NamedTuple):
    """A throw as it was read: ``won`` is 1 if the best reply would have won, -1 if lost, else 0."""

    expected: Triple
    thrown: Hand | None
    won: int


def read(throws: Iterable[Thrown], observer: Observer | None = None) -> list[Cell]:
    """Return how one side of a duel was read; a new observer unless one goes on."""
    observer = observer or Observer()
    observer.begin_again()
    cells = []
    for own, theirs in throws:
        expected = observer.expected()
        cells.append(Cell(expected, own, _won(best_reply(expected), own)))
        observer.learn(own, theirs)
    return cells


def _won(reply: Hand | None, thrown: Hand | None) -> int:
    if reply is None or thrown is None or reply == thrown:
        return 0
    return 1 if BEATS[reply] == thrown else -1


class Edge(NamedTuple):
    """The throws in 100 that a reader wins above those that it loses, and the half of its interval
    of 95 %.
    """

    value: float
    give_or_take: float


def edge_of(cells: Iterable[Cell]) -> Edge | None:
    """Return the edge of a reader; None below `LEAST` throws."""
    wins = [cell.won for cell in cells if cell.thrown is not None]
    return edge(len(wins), wins.count(1), wins.count(-1))


def edge(throws: float, won: float, lost: float) -> Edge | None:
    """Return the edge of a reader from the numbers of throws, and of those won and lost."""
    if throws < LEAST:
        return None
    mean = (won - lost) / throws
    spread = (won + lost - throws * mean * mean) / (throws - 1)
    return Edge(100 * mean, 100 * _SIGMAS * sqrt(spread / throws))


def bits_of(cells: Iterable[Cell]) -> float | None:
    """Return how many bits a throw the observer foresaw more than chance; None below `LEAST`."""
    given = [cell.expected[HANDS.index(cell.thrown)] for cell in cells if cell.thrown is not None]
    return sum(log2(3 * one) for one in given) / len(given) if len(given) >= LEAST else None


def dearest(cells: Sequence[Cell], lost: Iterable[int]) -> int | None:
    """Return the place of the lost throw that a reader won and foresaw most surely, or None."""
    sure = [
        (cell.expected[HANDS.index(cell.thrown)], -place)
        for place in lost
        if (cell := cells[place]).thrown is not None and cell.won == 1
    ]
    best = max(sure, default=(0.0, 0))
    return -best[1] if best[0] > UNIFORM[0] else None
