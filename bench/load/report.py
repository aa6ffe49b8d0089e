"""The tables of a run."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from bench.load.counts import BESIDE
from bench.load.drive import SOCKETS, Run
from bench.report import table
from bench.stats import percentile

THOUSAND: Final = 1000
#: Names in /metrics -> heading; of a histogram the mean is shown.
MEANS: Final = {
    "rr_answer_seconds": ("answer ms", THOUSAND),
    "rr_batch_jobs": ("jobs a batch", 1),
    "rr_deadline_late_seconds": ("clocks late ms", THOUSAND),
    "rr_round_late_seconds": ("rounds late ms", THOUSAND),
}


def tables(run: Run) -> str:
    """Return all tables as Markdown."""
    parts = [
        ("Actions", _actions(run)),
        ("The Train", _stations(run)),
        ("Refusals", _counters(run, ["refused", "handshakes", "reconnects"])),
        ("Sockets", _sockets(run)),
        ("Processes of the site", _processes(run)),
        ("Web processes (/metrics)", _metrics(run)),
    ]
    return "\n\n".join(f"## {title}\n{text}" for title, text in parts if text)


def _actions(run: Run) -> str:
    rows = [_row(kind, times, run.seconds) for kind, times in sorted(run.counts.times.items())]
    everything = [
        each
        for kind, times in run.counts.times.items()
        if not kind.startswith(("GET", "(")) and "(" not in kind
        for each in times
    ]
    if everything:
        rows.append(_row("all actions", everything, run.seconds))
    beside = [
        each for kind, times in run.counts.times.items() if kind.endswith(BESIDE) for each in times
    ]
    if beside:
        rows.append(_row(f"all actions {BESIDE}", beside, run.seconds))
    heads = ["kind", "answers", "a second", "p50 ms", "p95 ms", "p99 ms", "most ms"]
    return table(heads, rows) if rows else "(no action was answered)"


def _row(kind: str, times: list[int], seconds: float) -> list[str]:
    shown = [percentile(times, share) / THOUSAND for share in (0.5, 0.95, 0.99, 1.0)]
    return [
        kind, f"{len(times):,}", f"{len(times) / seconds:,.1f}", *(f"{ms:,.1f}" for ms in shown)
    ]  # fmt: skip


def _stations(run: Run) -> str:
    """Return when the players of each station knew their pair, after the last result before."""
    rows = []
    for before, station in pairwise(run.stations):
        known = [run.counts.known[each] for each in station["meets"] if each in run.counts.known]
        late = [round((at - before["last"]) * THOUSAND) for at in known]
        shown = [f"{percentile(late, share):,.0f}" for share in (0.5, 1.0)] if late else ["-", "-"]
        told = f"{len(late):,} of {len(station['meets']):,}"
        rows.append([f"{station['no']}", told, *shown])
    return table(["station", "know their pair", "half ms", "last ms"], rows) if rows else ""


def _counters(run: Run, names: list[str]) -> str:
    titles = {"refused": "", "handshakes": "handshake: ", "reconnects": "reconnected after "}
    rows = [
        [f"{titles[name]}{key}", f"{count:,}"]
        for name in names
        for key, count in sorted(getattr(run.counts, name).items())
    ]
    return table(["what", "count"], rows) if rows else ""


def _sockets(run: Run) -> str:
    numbers = run.counts.numbers
    megabyte = 1_000_000
    shown = {
        "sockets at the end": f"{numbers['sockets']:,}",
        "opened": f"{numbers['opened']:,}",
        "games ended": f"{numbers['games ended']:,}",
        "frames in": f"{numbers['frames in']:,}",
        "MB in": f"{numbers['bytes in'] / megabyte:,.1f}",
        "MB out": f"{numbers['bytes out'] / megabyte:,.1f}",
        "repeated": f"{numbers['repeats']:,}",
        "unanswered": f"{numbers['unanswered']:,}",
        "acknowledged": f"{sum(map(len, run.counts.acked.values())):,}",
        "of them lost": f"{run.lost:,}",
        "client busy": f"{run.busy:.0%}",
    }
    return table(list(shown), [list(shown.values())])


def _processes(run: Run) -> str:
    rows, total, waits = [], 0.0, 0.0
    for name, count, spent, waited, kib in run.watch.rows():
        total, waits = total + spent, waits + waited
        used = (f"{spent:,.1f}", f"{spent / run.seconds:.1%}", f"{waited:,.1f}")
        rows.append([name, str(count), *used, f"{kib / 1024:,.0f}"])
    if not rows:
        return "(no process of the site was found on this machine)"
    rows.append(
        ["together", "", f"{total:,.1f}", f"{total / run.seconds:.1%}", f"{waits:,.1f}", ""]
    )
    return table(["process", "count", "processor s", "busy", "waited s", "PSS MiB"], rows)


def _metrics(run: Run) -> str:
    heads = [heading for heading, _ in MEANS.values()]
    rows = [
        [
            str(pid),
            *(_mean(found, name, factor) for name, (_, factor) in MEANS.items()),
            f"{found.get('rr_views_dropped_total', 0):,.0f}",
            f"{found.get(SOCKETS, 0):,.0f}",
        ]
        for pid, found in run.metrics.items()
        if found
    ]
    return table(["web", *heads, "views dropped", "sockets"], rows) if rows else ""


def _mean(found: dict[str, float], name: str, factor: float) -> str:
    count = found.get(f"{name}_count", 0.0)
    return f"{found[f'{name}_sum'] / count * factor:,.1f}" if count else "-"


def figures(run: Run) -> Iterator[tuple[str, Any]]:
    """Yield the run's figures, as JSON can hold them."""
    yield "seconds", run.seconds
    yield "lost", run.lost
    yield (
        "counts",
        {
            name: dict(getattr(run.counts, name))
            for name in ("refused", "handshakes", "reconnects", "numbers")
        },
    )
    yield "kinds", {
        kind: {
            "count": len(times),
            **{f"p{share * 100:.0f}_ms": percentile(times, share) / THOUSAND
               for share in (0.5, 0.95, 0.99, 1.0)},
        }
        for kind, times in run.counts.times.items()
    }  # fmt: skip
    yield "processes", [list(row) for row in run.watch.rows()]
    yield "metrics", run.metrics
    yield "stations", [{name: each[name] for name in ("no", "last")} for each in run.stations]
