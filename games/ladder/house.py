"""The programs of the house: each yields a hand and is sent (own hand, other's hand), by codes; its
chance is a seed's.
"""

from collections import defaultdict
from collections.abc import Callable, Generator
from functools import partial
from importlib import import_module
from random import Random
from types import MappingProxyType
from typing import Final

from games import registry

Thrower = Generator[int, tuple[int, int], None]


def uniform(chance: Random) -> Thrower:
    while True:
        yield chance.randrange(3)


def rock(_: Random) -> Thrower:
    while True:
        yield 0


def cycle(chance: Random) -> Thrower:
    hand = chance.randrange(3)
    while True:
        yield hand
        hand = (hand + 1) % 3


def copy(chance: Random) -> Thrower:
    hand = chance.randrange(3)
    while True:
        _, hand = yield hand


def beat_last(chance: Random) -> Thrower:
    _, theirs = yield chance.randrange(3)
    while True:
        _, theirs = yield (theirs + 1) % 3


def markov(chance: Random, order: int) -> Thrower:
    """Beat the hand that most often followed the other's last ``order`` hands."""
    seen: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
    last: tuple[int, ...] = ()
    while True:
        counts = seen[last]
        likely = [hand for hand in range(3) if counts[hand] == max(counts)]
        _, theirs = yield (chance.choice(likely) + 1) % 3
        seen[last][theirs] += 1
        last = (*last, theirs)[-order:] if order else ()


def reader(chance: Random) -> Thrower:
    """Beat what the observer of the site's duels expects."""
    reading = import_module(registry.READER)
    observer, hands = reading.Observer(), reading.HANDS
    while True:
        best = reading.best_reply(observer.expected())
        mine, theirs = yield chance.randrange(3) if best is None else hands.index(best)
        observer.learn(hands[theirs], hands[mine])


READER: Final = "reader"
#: Name -> the program; the reader only where its game is installed.
HOUSE: Final[MappingProxyType[str, Callable[[Random], Thrower]]] = MappingProxyType(
    {
        "uniform": uniform,
        "rock": rock,
        "cycle": cycle,
        "copy": copy,
        "beat_last": beat_last,
        "frequency": partial(markov, order=0),
        "markov": partial(markov, order=1),
        "markov2": partial(markov, order=2),
        **({READER: reader} if registry.READER.rpartition(".")[0] in registry.GAMES else {}),
    }
)
