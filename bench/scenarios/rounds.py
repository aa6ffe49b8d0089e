"""A round of the arena, resolved in this process: what a player costs, from a thousand upwards.

Players of all choices, streaks and scores; every draw, every battle, streak and score of each is
worked out, with Team, Survivor and Count on, which is the longest way through the rules.
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
#: So many players in all are resolved in a run, in as many rounds as that makes.
IN_ALL: Final = 2_000_000


def crowd(players: int) -> Columns:
    """Return so many players, of all kinds."""

    def column(label: str, bound: int, least: int) -> list[int]:
        return [number + least for number in draw_many_below(SEED, label, bound, players)]

    return Columns(
        choices=draw_many_below(SEED, "bench/choices", 4, players),
        streaks=column("bench/streaks", 17, -8),
        scores=column("bench/scores", 256, -128),
        healths=column("bench/healths", 4, 0),
    )


def resolve_once(players: Columns, number: int) -> float:
    """Resolve a round with a seed of its own, each player's battles told; return its seconds."""
    started = time.perf_counter()
    resolve_arrays(players, OPTIONS, f"{SEED}{number}").battles()
    return time.perf_counter() - started


async def run(stand: Any, form: Form) -> dict[str, float]:
    """Resolve rounds of this many players; the middle one counts."""
    players = crowd(stand.players)
    resolve_once(players, 0)
    rounds = max(3, IN_ALL // stand.players)
    seconds = median(resolve_once(players, number) for number in range(1, rounds + 1))
    return {"us_a_player": seconds / stand.players * 1_000_000, "round_s": seconds}
