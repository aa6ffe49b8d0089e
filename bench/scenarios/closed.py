"""Closed loops: each player acts again as soon as the last action is acknowledged."""

from dataclasses import dataclass
from typing import Any

from bench.form import Form
from bench.scenarios.load import PreparedTables
from bench.sitter import Decide, choose_again, lock_and_unlock, play_showdown, throw_in_duel
from bench.stand import Stand
from bench.tally import Tally

#: Long enough for a measurement, short enough for a live clock, which the site treats specially.
CLOCK = 120


@dataclass(frozen=True, slots=True)
class Load:
    """The game and its tables: ``rows`` at a time, each followed by further ones."""

    rows: int
    seats: int
    tables: int
    stage: str
    decide: Decide
    options: dict[str, Any]

    @property
    def people(self) -> int:
        """The number of users it needs."""
        return self.rows * self.tables * self.seats


DUEL = Load(
    200, 2, 2, "started", throw_in_duel,
    {"game": "duel", "best_of": 99, "no_ties": True, "clock_seconds": CLOCK},
)  # fmt: skip
CHOICES = Load(200, 2, 1, "round", choose_again, {"seats": 2, "round_clock": CLOCK})
LOCKS = Load(1, 2, 1, "round", lock_and_unlock, CHOICES.options)
SHOWDOWN = Load(
    100, 4, 4, "seated", play_showdown,
    {"seats": 4, "target": 15, "betting_clock": CLOCK, "round_clock": CLOCK},
)  # fmt: skip


async def seat(stand: Stand, load: Load, tally: Tally, rows: int | None = None) -> PreparedTables:
    """Prepare the tables, start the web processes and open all sockets."""
    a_row = load.tables * load.seats
    rows = min(rows or load.rows, len(stand.people) // a_row)
    people = stand.people[: rows * a_row]
    ids = [person["id"] for person in people]
    groups = [ids[n : n + load.seats] for n in range(0, len(ids), load.seats)]
    tables = stand.hand("tables", users=groups, stage=load.stage, **load.options)
    stand.start_web()
    prepared = PreparedTables(tally, load.decide)
    await prepared.fill(stand, tables, people, rows)
    return prepared


async def run(stand: Stand, load: Load, form: Form) -> dict[str, float]:
    """Make all players act as fast as answers arrive, and return the figures."""
    tally = Tally()
    prepared = await seat(stand, load, tally)
    prepared.start()
    try:
        figures = await tally.measure(stand, form.warm, form.seconds)
    finally:
        prepared.close()
    return figures | {"exhausted": float(prepared.exhausted)}
