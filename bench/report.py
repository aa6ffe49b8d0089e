"""Reports: ratios first, then figures, then the machine."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.goals import GOALS, Results
from bench.stats import Figures, middle, ratio, spread

#: Figure -> heading and format, in the printed order.
COLUMNS: Final[Mapping[str, tuple[str, str]]] = {
    "rate": ("a second", "{:,.0f}"),
    "server_us": ("server us", "{:,.0f}"),
    "database_us": ("database us", "{:,.0f}"),
    "valkey_us": ("Valkey us", "{:,.0f}"),
    "nginx_us": ("nginx us", "{:,.0f}"),
    "all_us": ("all us", "{:,.0f}"),
    "client_us": ("client us", "{:,.0f}"),
    "client_busy": ("client busy", "{:.0%}"),
    "p50_ms": ("p50 ms", "{:,.2f}"),
    "p99_ms": ("p99 ms", "{:,.2f}"),
    "refused": ("refused", "{:,.0f}"),
    "lost": ("lost", "{:,.0f}"),
    "exhausted": ("exhausted", "{:,.0f}"),
    "affairs_rate": ("affairs/s", "{:,.0f}"),
    "lists_rate": ("lists/s", "{:,.0f}"),
    "changes": ("changes", "{:,.0f}"),
    "kib_a_socket": ("KiB a socket", "{:,.1f}"),
    "base_mib": ("base MiB", "{:,.0f}"),
    "accepts_a_second": ("accepts/s", "{:,.0f}"),
    "idle_busy": ("idle busy", "{:.1%}"),
    "nothing_ms": ("nothing due ms", "{:,.2f}"),
    "all_due_ms": ("200 due ms", "{:,.1f}"),
    "worked_off_s": ("worked off s", "{:.1f}"),
    "us_a_player": ("us a player", "{:,.3f}"),
    "won_share": ("duels won", "{:.1%}"),
    "us_a_throw": ("us a throw", "{:,.0f}"),
    "round_s": ("round s", "{:,.4f}"),
    "results": ("results", "{:,.0f}"),
    "missed": ("missed", "{:,.0f}"),
    "result_p50_ms": ("result p50 ms", "{:,.0f}"),
    "result_p99_ms": ("result p99 ms", "{:,.0f}"),
    "table_p99_alone_ms": ("tables p99 ms", "{:,.1f}"),
    "table_p99_ms": ("beside it", "{:,.1f}"),
    "table_p99_ratio": ("ratio", "{:,.2f}"),
    "stolen": ("stolen", "{:.0%}"),
    "first_ms": ("first throw ms", "{:,.1f}"),
    "slowest_ms": ("slowest ms", "{:,.1f}"),
    "entries": ("entries", "{:,.0f}"),
    "caught_up_s": ("caught up s", "{:.1f}"),
    "loop_p99_calm_ms": ("loop p99 ms calm", "{:,.1f}"),
    "loop_p99_ms": ("loop p99 ms", "{:,.1f}"),
    "loop_max_ms": ("loop longest ms", "{:,.1f}"),
    "open_ms": ("open ms", "{:,.1f}"),
    "last_page_ms": ("last page ms", "{:,.1f}"),
    "page_ms": ("page ms", "{:,.1f}"),
    "page_most_ms": ("slowest page ms", "{:,.1f}"),
    "page_kib": ("page KiB", "{:,.0f}"),
}
#: The figures by which configurations are compared; more is better for these.
MAIN: Final = (
    "rate",
    "p99_ms",
    "kib_a_socket",
    "nothing_ms",
    "us_a_player",
    "us_a_throw",
    "result_p99_ms",
    "worked_off_s",
    "first_ms",
    "loop_max_ms",
    "page_ms",
)
#: Columns that are left out if all values are zero.
QUIET: Final = ("refused", "lost", "exhausted")

Runs = Mapping[tuple[str, str], Sequence[Figures]]


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns.

    >>> print(table(["a", "b"], [["1", "22"]]))
    | a | b  |
    |---|----|
    | 1 | 22 |
    """
    columns = list(zip(headings, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    ruler = "|" + "|".join("-" * (width + 2) for width in widths) + "|"

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)) + " |"

    return "\n".join([line(headings), ruler, *(line(row) for row in rows)])


def goals(results: Results) -> str:
    """Return the goals that were measured."""
    rows = []
    for goal in GOALS:
        value = goal.reached(results)
        if value is None:
            continue
        met = "yes" if goal.is_met(value) else "NO"
        rows.append([goal.title, f"{goal.bound} {goal.target:.3g}", f"{value:.3g}", met])
    return table(["goal", "target", "reached", "met"], rows) if rows else "(no goal was measured)"


def scenario(name: str, title: str, runs: Runs) -> str:
    """Return one scenario's ratios and figures: the first configuration is 1."""
    results = {label: middle(found) for (of, label), found in runs.items() if of == name}
    if not results:
        return ""
    main = next(figure for figure in MAIN if figure in next(iter(results.values())))
    first = next(iter(results.values())).get(main)
    shown = [c for c in COLUMNS if any(_is_worth(c, r.get(c)) for r in results.values())]
    rows = []
    for label, figures in results.items():
        share = ratio(figures.get(main), first)
        wide = spread(runs[name, label], main)
        rows.append(
            [
                label,
                "-" if share is None else f"{share:.2f}",
                *(_form(column, figures.get(column)) for column in shown),
                "-" if math.isnan(wide) else f"{wide:.0%}",
            ]
        )
    headings = ["setup", f"ratio of {COLUMNS[main][0]}", *(COLUMNS[c][0] for c in shown), "spread"]
    return f"## {name}: {title}\n{table(headings, rows)}\n"


def machine(facts: Mapping[str, str]) -> str:
    """Return the machine and the versions in a paragraph."""
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def keep(path: Path, facts: Mapping[str, str], runs: Runs, skipped: Mapping[str, str]) -> None:
    """Write all measured figures of each run."""
    content: dict[str, Any] = {
        "machine": dict(facts),
        "runs": [
            {"scenario": s, "setup": label, "runs": found} for (s, label), found in runs.items()
        ],
        "skipped": dict(skipped),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1))


def _is_worth(column: str, value: float | None) -> bool:
    return value is not None and (column not in QUIET or value > 0)


def _form(column: str, value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else COLUMNS[column][1].format(value)
