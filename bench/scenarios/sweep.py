"""Measure the sweep that each web process runs every second, with a full table of matches."""

from statistics import median

from bench.form import Form
from bench.scenarios.closed import CHOICES
from bench.stand import Stand

DUE = 200


#: A round's clock in seconds, and the seconds since it started.
CLOCK, AGO = 20, 25


async def run(stand: Stand, form: Form) -> dict[str, float]:
    """Fill the table; sweep with nothing due, then with two hundred matches due."""
    people = stand.people[: 2 * DUE]
    groups = [[a["id"], b["id"]] for a, b in zip(people[::2], people[1::2], strict=True)]
    first = stand.hand("tables", users=groups[:1], stage="round", **CHOICES.options)
    stand.hand("many_matches", like=first[0]["pk"], count=form.matches)
    nothing = stand.hand("sweep", rounds=20)
    options = CHOICES.options | {"round_clock": CLOCK, "betting_clock": CLOCK}
    stand.hand("tables", users=groups, stage="round", ago=AGO, **options)
    (busy,) = stand.hand("sweep", rounds=1)
    return {"nothing_ms": median(nothing) * 1000, "all_due_ms": busy * 1000}
