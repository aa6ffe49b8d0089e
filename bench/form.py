"""Durations, repetitions and sizes of measurements."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """Seconds of warm-up and of a measurement, number of runs, users, and sizes.

    Fewer tables play at once where there are too few users for all of a load.
    """

    warm: float = 1.5
    seconds: float = 4.0
    runs: int = 3
    #: The seats of the largest scenario, the arena with other tables.
    people: int = 2400
    watchers: int = 2000
    idle: int = 1000
    matches: int = 100_000
    crowd: int = 2000
    rounds: int = 20
    towns: int = 1000
    entries: int = 10_000
    cold: int = 1000


QUICK = Form(
    warm=0.7,
    seconds=1.5,
    runs=1,
    watchers=500,
    idle=300,
    matches=10_000,
    crowd=300,
    rounds=3,
    towns=200,
    entries=1_000,
    cold=100,
)
#: Shows that the bench works, and measures nothing.
LEAST = Form(warm=0.1, seconds=0.3, runs=1, people=32)
USUAL = Form()
