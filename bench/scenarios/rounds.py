"""Measure the time per player of resolving a round of the arena in this process.

Players have all choices, streaks and scores.  Team, Survivor and Count are on, the slowest set of
options.
"""

import time
from statistics import median
from typing import Any, Final

from bench.form import Form
from games.arena.rules.columns import Columns, resolve_arrays
from games.arena.rules.options import RoundOptions
from games.engine.draws import draw_many_below

SEED: Final = "5eed" * 16
OPTIONS: Final = RoundOptions(count=True, team=True, survivor=True)
#: Total number of players resolved in a run, which gives the number of rounds.
IN_ALL: Final = 2_000_000


def crowd(players: int) -> Columns:
    """Return this many players, of all kinds."""

    def column(label: str, bound: int, least: int) -> list[int]:
        return [number + least for number in draw_many_below(SEED, label, bound, players)]

    return Columns(
        choices=draw_many_below(SEED, "bench/choices", 4, players),
        streaks=column("bench/streaks", 17, -8),
        scores=column("bench/scores", 256, -128),
        healths=column("bench/healths", 4, 0),
    )


def resolve_once(players: Columns, number: int) -> float:
    """Resolve a round with a new seed, with each player's battles; return the seconds."""
    started = time.perf_counter()
    resolve_arrays(players, OPTIONS, f"{SEED}{number}").battles()
    return time.perf_counter() - started


async def run(stand: Any, form: Form) -> dict[str, float]:
    """Resolve rounds of this many players; return the median."""
    players = crowd(stand.players)
    resolve_once(players, 0)
    rounds = max(3, IN_ALL // stand.players)
    seconds = median(resolve_once(players, number) for number in range(1, rounds + 1))
    return {"us_a_player": seconds / stand.players * 1_000_000, "round_s": seconds}
