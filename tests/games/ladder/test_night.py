"""A night of the ladder without sockets and clocks: its pairs, its house and its ratings."""

import itertools
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from random import Random
from statistics import mean
from typing import NamedTuple

import pytest

from games.ladder import queries, results
from games.ladder.house import HOUSE, Thrower
from games.ladder.rules.match import HANDS, LadderMatch
from games.ladder.rules.pairing import LastDay, Waiting, pairs
from games.matches.models import Rating
from tests.forms import form

THROWS = 300
#: What runs an example with lines in the place of a socket, and with the same chance each time.
PYTHON = """
import random, runpy, sys, types
random.seed(7)
class Line:
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def __iter__(self): return iter(sys.stdin)
    def send(self, text): print(text, flush=True)
client = types.ModuleType("client")
client.connect = lambda *_, **__: Line()
sys.modules["websockets.sync.client"] = client
runpy.run_path(sys.argv[3])
"""
NODE = """
import { createInterface } from "node:readline";
let seed = 7;
Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
globalThis.WebSocket = class {
  constructor() {
    const lines = createInterface({ input: process.stdin });
    lines.on("line", (data) => this.onmessage({ data }));
    setImmediate(() => this.onopen());
  }
  send(text) { process.stdout.write(text + "\\n"); }
};
await import(process.argv[3]);
"""
RUNS = {
    "ladder.py": [sys.executable, "-c", PYTHON],
    "ladder.mjs": [shutil.which("node"), "--input-type=module", "-e", NODE],
}


class Example:
    """An example of the page as a program of its own, which is asked by lines."""

    def __init__(self, name: str) -> None:
        words = [*RUNS[name], "http://unused", "token", str(queries.EXAMPLES / name)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)
        assert json.loads(self._read())["method"] == "ladder.ready"

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def __call__(self, _: Random) -> Thrower:
        assert self.process.stdin is not None
        mine = theirs = None
        for no in itertools.count(1):
            asked = {"no": no, "mine": mine, "theirs": theirs}
            message = {"jsonrpc": "2.0", "method": "ladder.throw", "params": asked, "id": no}
            print(json.dumps(message), file=self.process.stdin, flush=True)
            given = json.loads(self._read())
            assert given["id"] == no
            mine, theirs = (HANDS[code] for code in (yield HANDS.index(given["result"])))


class Program(NamedTuple):
    thrower: Callable[[Random], Thrower]
    rating: Rating
    #: The lower end of the rating after each match, by which the board is ordered.
    ends: list[float]

    @property
    def later(self) -> float:
        """The mean of the night's second half: one match says little."""
        return mean(self.ends[len(self.ends) // 2 :])


def play(one: Thrower, other: Thrower) -> LadderMatch:
    match = LadderMatch(0.0, THROWS)
    hands = next(one), next(other)
    while True:
        match.ask(0.0)
        for seat in (0, 1):
            match.answer(seat, HANDS[hands[seat]], 0.0, 0.0)
        if match.reason is not None:
            return match
        hands = one.send(hands), other.send(hands[::-1])


def night(programs: dict[int, Program], house: set[int], rounds: int) -> None:
    """Play rounds in which all are paired and rated as the pool does it."""
    chance, lately = Random(3), LastDay()
    for no in range(rounds):
        waiting = [
            Waiting(pk, each.rating.mu, 0.0, len(each.ends)) for pk, each in programs.items()
        ]
        ready = [each for each in waiting if each.user not in house]
        ours = [each for each in waiting if each.user in house]
        for pair in pairs(ready, ours, lately.met, 120.0):
            sides = [programs[pk] for pk in pair]
            match = play(*(side.thrower(Random(chance.random())) for side in sides))
            lately.add(pair, 120.0 * no, is_rated=True)
            ratings = {seat: side.rating for seat, side in enumerate(sides)}
            results.rate_game(ratings, results.PLACES[match.winner], 0, datetime.now(UTC))
            for side in sides:
                side.ends.append(side.rating.mu - 2 * side.rating.sigma)


@pytest.fixture
def examples() -> Iterator[dict[str, Example]]:
    found = {name: Example(name) for name, (runner, *_) in RUNS.items() if runner}
    yield found
    for each in found.values():
        each.process.kill()
        each.process.communicate()


def test_ladder_examples_climb_above_the_uniform_one_in_a_night(
    examples: dict[str, Example],
) -> None:
    """The others of the night play as the house does, since uniform is as good as who meets it."""
    makers = {**HOUSE, **{f"{name}_bot": each for name, each in HOUSE.items()}, **examples}
    programs = {
        pk: Program(make, results.new_rating(pk, "ladder"), [])
        for pk, make in enumerate(makers.values(), start=1)
    }
    night(programs, set(range(1, len(HOUSE) + 1)), form(120, in_all=240))
    later = dict(zip(makers, (each.later for each in programs.values()), strict=True))
    climbed = min(later[name] for name in examples)
    assert climbed > max(later[name] for name in ("uniform", "uniform_bot", "rock", "rock_bot"))
