"""Who may queue up for the pump, and when those may come again who may not."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from games.matches.processing.jobs import Committed, Work
from games.realtime.sessions import Stamp
from games.realtime.write_queue import CALM, LATEST, LONGEST_TURN, PATIENCE, SHARE, Job, Waiting


class Kind:
    """A kind of work."""

    def __init__(self, rest: float = 0.0) -> None:
        self.rest = rest

    def commit(self, items: Sequence[Any]) -> Committed:
        raise AssertionError("nothing is done here")


ONE, OTHER = Kind(), Kind()


@dataclass
class Clock:
    """The monotonic clock, which moves when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Pump:
    """A pump with so many seconds a job, and something for each batch."""

    a_job: float = 0.001
    a_batch: float = 0.002
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.waiting = Waiting(self.clock)
        self.served: list[Any] = []

    def offer(self, item: Any = None, user: int | None = None, work: Work = ONE) -> float | None:
        stamp = None if user is None else Stamp("key", user, "name", "password")
        return self.waiting.offer(Job(item, work, lambda answer: None, stamp))

    def begin(self) -> float:
        """Begin a batch; return how long it will take."""
        self.batch = self.waiting.begin(LONGEST_TURN)
        return self.a_batch + self.a_job * len(self.batch)

    def turn(self) -> None:
        """Do a batch from its beginning to its end."""
        seconds = self.begin()
        self.clock.now += seconds
        self.waiting.end(seconds)
        self.served += [job.item for job in self.batch]

    def warm_up(self) -> None:
        """Let it learn how fast it is."""
        for _ in range(50):
            for _ in range(20):
                self.waiting.offer(Job(None, ONE, lambda answer: None))
            while self.waiting:
                self.turn()
        self.served.clear()


def warm(**pace: float) -> Pump:
    pump = Pump(**pace)
    pump.warm_up()
    return pump


def test_four_hundred_at_once_are_waited_for() -> None:
    pump = warm(a_job=0.002)
    assert [pump.offer(n, user=n) for n in range(400)] == [None] * 400
    while pump.waiting:
        pump.turn()
    assert pump.served == list(range(400))


def test_a_process_that_has_done_nothing_yet_takes_four_hundred_too() -> None:
    pump = Pump()
    assert [pump.offer(n, user=n) for n in range(400)] == [None] * 400


def test_one_slow_commit_turns_nobody_away() -> None:
    pump = warm(a_job=0.0005)
    for n in range(20):
        pump.offer(n, user=n)
    pump.begin()
    pump.clock.now += 0.4
    assert [pump.offer(n, user=n) for n in range(400)] == [None] * 400
    pump.waiting.end(0.4)
    assert [pump.offer(n, user=n) for n in range(400, 800)] == [None] * 400


def test_a_pump_that_stands_still_turns_away_what_comes_after_a_while() -> None:
    pump = warm()
    assert pump.offer(1, user=1) is None
    pump.begin()
    pump.clock.now += PATIENCE
    assert pump.offer(2, user=2) is None
    pump.clock.now += 2 * PATIENCE
    pause = pump.offer(3, user=3)
    assert pause is not None
    assert pause >= PATIENCE
    pump.waiting.end(3 * PATIENCE)
    assert pump.offer(3, user=3) is None


def test_who_is_turned_away_is_told_to_come_one_after_the_other() -> None:
    pump = warm()
    pauses = [pump.offer(n, user=n) for n in range(4000)]
    told = [pause for pause in pauses if pause is not None]
    assert 1000 < len(told) < 3000
    assert pauses[: 4000 - len(told)] == [None] * (4000 - len(told)), "first come, first served"
    assert told == sorted(told)
    assert len(set(told)) == len(told)
    assert told[0] == pytest.approx(PATIENCE, rel=0.05)
    assert max(told) <= LATEST


def test_a_user_with_many_actions_leaves_room_for_the_others() -> None:
    pump = warm()
    taken = [pump.offer(n, user=7) for n in range(3000)]
    calm = sum(pause is None for pause in taken)
    assert pump.waiting.expected_wait(ONE) == pytest.approx(CALM, rel=0.1)
    assert [pump.offer(n, user=8) for n in range(SHARE + 2)].count(None) == SHARE
    assert pump.offer(0, user=9) is None
    assert pump.offer("house") is None
    while pump.waiting.expected_wait(ONE) > CALM / 2:
        pump.turn()
    assert pump.offer("again", user=7) is None, "in the calm everybody may"
    assert calm < 1000


def batches(pump: Pump) -> list[list[Any]]:
    """Serve all that waits; return it by batches."""
    found = []
    while pump.waiting:
        pump.clock.now += pump.waiting.pause() or 0.0
        before = len(pump.served)
        pump.turn()
        found.append(pump.served[before:])
    return found


def test_a_batch_is_of_one_kind_and_gathers_all_of_it_in_the_order_of_coming() -> None:
    pump = Pump()
    for number, work in enumerate([ONE, OTHER, ONE, OTHER, ONE]):
        pump.offer(number, work=work)
    assert batches(pump) == [[0, 2, 4], [1, 3]]


def test_kinds_take_turns_so_that_one_waits_for_one_batch_of_the_other() -> None:
    pump = Pump()
    for number in range(600):
        pump.offer(("many", number), work=OTHER)
    pump.begin()
    pump.offer("table", work=ONE)
    pump.clock.now += 0.2
    pump.waiting.end(0.2)
    # It need not wait for all of them, and is not expected to.
    assert pump.waiting.expected_wait(ONE) < 0.1 < pump.waiting.expected_wait(OTHER)
    assert batches(pump)[0] == ["table"]


def test_a_kind_that_rests_gathers_and_keeps_nobody_else_waiting() -> None:
    pump, slow = Pump(), Kind(rest=0.05)
    pump.offer("first", work=slow)
    assert pump.waiting.pause() == 0.0, "in the calm it goes at once"
    pump.turn()
    pump.offer("second", work=slow)
    assert pump.waiting.pause() == pytest.approx(0.05)
    assert pump.waiting.begin(LONGEST_TURN) == []
    pump.waiting.end(0.0)
    pump.offer("table")
    assert pump.waiting.pause() == 0.0
    pump.turn()
    pump.offer("third", work=slow)
    assert batches(pump) == [["second", "third"]]
    pump.offer("last", work=slow)
    assert [job.item for job in pump.waiting.begin(LONGEST_TURN, is_last=True)] == ["last"]
    assert pump.waiting.pause() is None


@pytest.mark.parametrize("seed", range(5))
def test_who_comes_when_told_is_taken_the_next_time_or_soon(seed) -> None:
    """Ten thousand act at once; those who are turned away do as they are told."""
    chance = random.Random(seed)
    pump = warm(a_job=chance.uniform(0.0003, 0.002), a_batch=chance.uniform(0.0, 0.01))
    came: dict[int, float] = {}
    tries: dict[int, int] = dict.fromkeys(range(5000), 0)
    waits: list[float] = []
    # When somebody comes, a number that tells them apart.
    coming = [(pump.clock.now + chance.uniform(0, 0.5), user) for user in tries]
    heapq.heapify(coming)

    def let_come(until: float) -> None:
        while coming and coming[0][0] <= until:
            at, user = heapq.heappop(coming)
            pump.clock.now = at
            tries[user] += 1
            pause = pump.offer(user, user=user)
            if pause is None:
                came[user] = at
            else:
                heapq.heappush(coming, (at + pause, user))

    while coming or pump.waiting:
        if not pump.waiting:
            let_come(coming[0][0])
            continue
        begun = pump.clock.now
        seconds = pump.begin()
        let_come(begun + seconds)
        pump.clock.now = begun + seconds
        pump.waiting.end(seconds)
        waits += [pump.clock.now - came[job.item] for job in pump.batch]
    assert len(waits) == 5000
    assert max(waits) < 1.5 * PATIENCE
    assert sum(tries.values()) / 5000 < 3
    assert max(tries.values()) <= 8
