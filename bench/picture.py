"""Draw a flame graph of a web process under load: ``python -m bench.picture FILE``.

Also prints the shares of the parts of the path.  With ``--gil`` only the thread that holds the
interpreter's lock counts, not waits for the disk or for other threads.

Needs py-spy.  Paths of the machine are removed from the picture.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import uvloop

from bench.plan import DAPHNE, SITE, UVICORN
from bench.scenarios import closed
from bench.stand import Setup, Stand
from bench.tally import Tally
from bench.template import SQLITE, Template, workshop
from rpsite.env import ROOT

LOADS = {"duel": closed.DUEL, "choices": closed.CHOICES, "showdown": closed.SHOWDOWN}
A_SECOND = 200
SECONDS = 8
#: Frames with less than this share of all samples are left out.
LEAST = 0.002
#: Size of the picture.
WIDTH, ROW, LETTER = 1200, 14, 6.1
#: Part of a file's name -> colour: ours, Django's, sockets and loops.
COLOURS = {
    **dict.fromkeys(("games/", "services/", "economy/", "ledger/", "rules/"), "#f0a860"),
    **dict.fromkeys(("showdown/", "duel/", "table/", "sqlite/base.py"), "#f0a860"),
    **dict.fromkeys(("db/", "models/", "sql/", "backends/", "utils/", "django"), "#9cc890"),
    **dict.fromkeys(("asyncio/", "internet/", "daphne/", "websocket", "uvicorn"), "#98b8e0"),
}
PEOPLE = 1700
#: Part of the path -> prefixes of its functions' names; the deepest one of a stack decides.
PARTS: Mapping[str, tuple[str, ...]] = {
    "rules of the game": ("Table.apply",),
    "judging besides: ids, clocks, moves of points": ("Batch._answer", "Batch.lock", "Judge."),
    "facts, sentences, texts to store": ("LockedMatch.", "Batch.write"),
    "statements, COMMIT": (
        "Turnstile", "SQLite", "Cursor", "BulkRows", "Atomic", "DatabaseWrapper", "SqlStore",
    ),
    "batch writer besides": ("BatchWriter.", "Batch.", "call_with_connection"),
    "views": ("Rendering.", "Room."),
    "hub besides": ("Hub.", "MatchConsumer.show", "Runtime."),
    "frames in": ("Socket._serve", "WebSocketsSansIOProtocol.data", "WebSocketProtocol.dataR"),
    "frames out": ("Socket._write",),
    "hint bus": ("Bus.",),
}  # fmt: skip
#: Functions in which a thread only waits for work.
IDLE = ("_worker (futures/thread.py)", "Condition.wait (threading.py)")


async def record(stand: Stand, load: closed.Load, path: Path, *more: str) -> None:
    """Sample the first web process under load.

    Args:
        more: further options of py-spy.

    Raises:
        RuntimeError: py-spy is missing or has no permission.
    """
    prepared = await closed.seat(stand, load, Tally())
    prepared.start()
    await asyncio.sleep(1)
    spy = shutil.which("py-spy") or str(Path(sys.executable).with_name("py-spy"))
    options = ["--rate", str(A_SECOND), "--duration", str(SECONDS), "--format", "raw", *more]
    process = await asyncio.create_subprocess_exec(
        *(spy, "record", "--pid", str(stand.webs[0].process.pid), "--output", str(path), *options),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    if await process.wait() != 0:
        raise RuntimeError("py-spy could not take samples")
    prepared.close()


def read_samples(text: str) -> dict[tuple[str, ...], int]:
    """Return the stacks of py-spy's raw format with their counts, without paths and lines."""
    found: dict[tuple[str, ...], int] = {}
    for line in text.splitlines():
        frames, _, count = line.rpartition(" ")
        stack = tuple(_short(frame) for frame in frames.split(";"))
        found[stack] = found.get(stack, 0) + int(count)
    return found


def _short(frame: str) -> str:
    """Return a function with the last two parts of its file's path.

    >>> _short("run (/srv/site/games/matches/services/batch.py:72)")
    'run (services/batch.py)'
    """
    frame = re.sub(r":\d+\)$", ")", frame)
    return re.sub(r"\((?:.*/)?([^/()]+/[^/()]+)\)$", r"(\1)", frame)


def shares(samples: Mapping[tuple[str, ...], int]) -> dict[str, float]:
    """Return the share of each part of the path in the samples that were not idle, largest first.

    >>> shares({("run (a/b.py)", "Bus._send (live/bus.py)"): 3, (IDLE[0],): 9})
    {'hint bus': 1.0}
    """
    found: Counter[str] = Counter()
    for stack, count in samples.items():
        if stack[-1] not in IDLE:
            found[_part_of(stack)] += count
    whole = found.total()
    return {part: count / whole for part, count in found.most_common()}


def _part_of(stack: tuple[str, ...]) -> str:
    for frame in reversed(stack):
        for part, beginnings in PARTS.items():
            if frame.startswith(beginnings):
                return part
    return "server, loop and all else"


@dataclass(slots=True)
class Node:
    """A function below its callers, with the number of samples in it and its callees."""

    count: int = 0
    below: dict[str, Node] = field(default_factory=dict)


def grow(samples: Mapping[tuple[str, ...], int]) -> Node:
    """Return the tree of all stacks."""
    root = Node()
    for stack, count in samples.items():
        node = root
        node.count += count
        for name in stack:
            node = node.below.setdefault(name, Node())
            node.count += count
    return root


def draw(samples: Mapping[tuple[str, ...], int], title: str) -> str:
    """Return an SVG: callees below their callers, each as wide as its share of samples."""
    root = grow(samples)
    boxes: list[str] = []
    depth = _draw_below(root, 0.0, 1, WIDTH / root.count, boxes)
    height = (depth + 1) * ROW + 4
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        f' font-family="monospace" font-size="10"><rect width="{WIDTH}" height="{height}"'
        f' fill="#fff"/><text x="4" y="12">{escape(title)}; {root.count} samples</text>'
    )
    return "\n".join([head, *boxes, "</svg>", ""])


def _draw_below(node: Node, left: float, row: int, scale: float, boxes: list[str]) -> int:
    deepest = row
    for name, child in sorted(node.below.items(), key=lambda entry: -entry[1].count):
        width = child.count * scale
        if width >= LEAST * WIDTH:
            boxes.append(_box(name, left, row, width))
            deepest = max(deepest, _draw_below(child, left, row + 1, scale, boxes))
        left += width
    return deepest


def _box(name: str, left: float, row: int, width: float) -> str:
    top, letters = row * ROW + 2, int(width / LETTER)
    shown = name if len(name) <= letters else name[: letters - 1] + "…"
    text = f'<text x="{left + 2:.1f}" y="{top + 10}">{escape(shown)}</text>' if letters > 3 else ""
    return (
        f'<g><title>{escape(name)} {width / WIDTH:.1%}</title><rect x="{left:.1f}" y="{top}"'
        f' width="{width:.1f}" height="{ROW - 1}" fill="{_colour(name)}"/>{text}</g>'
    )


def _colour(name: str) -> str:
    file = name.rpartition("(")[2]
    return next((colour for part, colour in COLOURS.items() if part in file), "#d8d8d8")


def main(arguments: list[str]) -> int:
    """Measure, draw, write the file."""
    parser = argparse.ArgumentParser(prog="python -m bench.picture", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--load", choices=LOADS, default="duel")
    parser.add_argument("--server", choices=(DAPHNE, UVICORN), default=DAPHNE)
    parser.add_argument("--gil", action="store_true", help="only the thread with the lock")
    given = parser.parse_args(arguments)
    options = ["--gil"] if given.gil else []
    setup = Setup(SITE, SQLITE, given.server)
    with workshop(ROOT / "var") as directory:
        template = Template(directory / "template", SQLITE, None, PEOPLE)
        raw = directory / "samples"
        with Stand(setup, template) as stand:
            uvloop.run(record(stand, LOADS[given.load], raw, *options))
        samples = read_samples(raw.read_text())
    given.file.write_text(draw(samples, f"{given.load}, {setup.label}"), encoding="utf-8")
    for part, share in shares(samples).items():
        print(f"{share:6.1%}  {part}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
