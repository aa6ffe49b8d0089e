import heapq
import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from games.matches.processing.submissions import Committed, Work
from games.realtime.sessions import Stamp
from games.realtime.write_queue import CALM, LATEST, LONGEST_TURN, PATIENCE, SHARE, Job, WriteQueue


class Kind:
    def __init__(self, rest: float = 0.0, enough: float = math.inf) -> None:
        self.rest, self.enough = rest, enough

    def commit(self, items: Sequence[Any]) -> Committed:
        raise AssertionError("nothing is done here")


ONE, OTHER = Kind(), Kind()


class BatchWriter:
    def __init__(self, a_job: float = 0.001, a_batch: float = 0.002) -> None:
        self.a_job, self.a_batch, self.now = a_job, a_batch, 1000.0
        self.waiting = WriteQueue(lambda: self.now)
        self.served: list[Any] = []

    def offer(self, item: Any = None, user: int | None = None, work: Work = ONE) -> float | None:
        stamp = None if user is None else Stamp("key", user, "name", "password")
        return self.waiting.offer(Job(item, work, lambda answer: None, stamp))

    def begin(self) -> float:
        self.batch = self.waiting.begin(LONGEST_TURN)
        return self.a_batch + self.a_job * len(self.batch)

    def turn(self) -> None:
        seconds = self.begin()
        self.now += seconds
        self.waiting.end(seconds)
        self.served += [job.item for job in self.batch]

    def warm_up(self) -> None:
        for _ in range(50):
            for _ in range(20):
                self.waiting.offer(Job(None, ONE, lambda answer: None))
            while self.waiting:
                self.turn()
        self.served.clear()


def warm(**pace: float) -> BatchWriter:
    writer = BatchWriter(**pace)
    writer.warm_up()
    return writer


@pytest.mark.parametrize("is_warm", [True, False])
def test_four_hundred_at_once_are_waited_for(is_warm: bool) -> None:
    writer = warm(a_job=0.002) if is_warm else BatchWriter()
    assert [writer.offer(n, user=n) for n in range(400)] == [None] * 400
    while writer.waiting:
        writer.turn()
    assert writer.served == list(range(400))


def test_one_slow_commit_turns_nobody_away() -> None:
    writer = warm(a_job=0.0005)
    for n in range(20):
        writer.offer(n, user=n)
    writer.begin()
    writer.now += 0.4
    assert [writer.offer(n, user=n) for n in range(400)] == [None] * 400
    writer.waiting.end(0.4)
    assert [writer.offer(n, user=n) for n in range(400, 800)] == [None] * 400


def test_a_batch_writer_that_stands_still_turns_away_what_comes_after_a_while() -> None:
    writer = warm()
    assert writer.offer(1, user=1) is None
    writer.begin()
    writer.now += PATIENCE
    assert writer.offer(2, user=2) is None
    writer.now += 2 * PATIENCE
    assert writer.offer(3, user=3) >= PATIENCE
    writer.waiting.end(3 * PATIENCE)
    assert writer.offer(3, user=3) is None


def test_who_is_turned_away_is_told_to_come_one_after_the_other() -> None:
    writer = warm()
    pauses = [writer.offer(n, user=n) for n in range(4000)]
    told = [pause for pause in pauses if pause is not None]
    assert 1000 < len(told) < 3000
    assert pauses[: 4000 - len(told)] == [None] * (4000 - len(told)), "first come, first served"
    assert told == sorted(set(told))
    assert told[0] == pytest.approx(PATIENCE, rel=0.05)
    assert max(told) <= LATEST


def test_a_user_with_many_actions_leaves_room_for_the_others() -> None:
    writer = warm()
    taken = [writer.offer(n, user=7) for n in range(3000)]
    calm = sum(pause is None for pause in taken)
    assert writer.waiting.expected_wait(ONE) == pytest.approx(CALM, rel=0.1)
    assert [writer.offer(n, user=8) for n in range(SHARE + 2)].count(None) == SHARE
    assert writer.offer(0, user=9) is None
    assert writer.offer("house") is None
    while writer.waiting.expected_wait(ONE) > CALM / 2:
        writer.turn()
    assert writer.offer("again", user=7) is None, "in the calm everybody may"
    assert calm < 1000


def batches(writer: BatchWriter) -> list[list[Any]]:
    found = []
    while writer.waiting:
        writer.now += writer.waiting.pause() or 0.0
        before = len(writer.served)
        writer.turn()
        found.append(writer.served[before:])
    return found


def test_a_batch_is_of_one_kind_and_gathers_all_of_it_in_the_order_of_coming() -> None:
    writer = BatchWriter()
    for number, work in enumerate([ONE, OTHER, ONE, OTHER, ONE]):
        writer.offer(number, work=work)
    assert batches(writer) == [[0, 2, 4], [1, 3]]


def test_kinds_take_turns_so_that_one_waits_for_one_batch_of_the_other() -> None:
    writer = BatchWriter()
    for number in range(600):
        writer.offer(("many", number), work=OTHER)
    writer.begin()
    writer.offer("table", work=ONE)
    writer.now += 0.2
    writer.waiting.end(0.2)
    # It need not wait for all of them, and is not expected to.
    assert writer.waiting.expected_wait(ONE) < 0.1 < writer.waiting.expected_wait(OTHER)
    assert batches(writer)[0] == ["table"]


def test_a_kind_that_rests_gathers_and_keeps_nobody_else_waiting() -> None:
    writer, slow = BatchWriter(), Kind(rest=0.05)
    writer.offer("first", work=slow)
    assert writer.waiting.pause() == 0.0, "in the calm it goes at once"
    writer.turn()
    writer.offer("second", work=slow)
    assert writer.waiting.pause() == pytest.approx(0.05)
    assert writer.waiting.begin(LONGEST_TURN) == []
    writer.waiting.end(0.0)
    writer.offer("table")
    assert writer.waiting.pause() == 0.0
    writer.turn()
    writer.offer("third", work=slow)
    assert batches(writer) == [["second", "third"]]
    writer.offer("last", work=slow)
    assert [job.item for job in writer.waiting.begin(LONGEST_TURN, is_last=True)] == ["last"]
    assert writer.waiting.pause() is None


def test_a_kind_rests_no_longer_once_enough_wait() -> None:
    writer, tables = BatchWriter(), Kind(rest=0.05, enough=3)
    writer.offer("first", work=tables)
    assert writer.waiting.is_earlier
    writer.turn()
    told = []
    for name in ("second", "third", "fourth"):
        assert writer.waiting.pause() in (None, pytest.approx(0.05))
        writer.offer(name, work=tables)
        told.append(writer.waiting.is_earlier)
    assert told == [True, False, True], "the thread sleeps until the rest is over"
    assert writer.waiting.pause() == 0.0
    assert batches(writer) == [["second", "third", "fourth"]]


@pytest.mark.parametrize("seed", range(5))
def test_who_comes_when_told_is_taken_the_next_time_or_soon(seed) -> None:
    chance = random.Random(seed)
    writer = warm(a_job=chance.uniform(0.0003, 0.002), a_batch=chance.uniform(0.0, 0.01))
    came: dict[int, float] = {}
    tries: dict[int, int] = dict.fromkeys(range(5000), 0)
    waits: list[float] = []
    # When somebody comes, a number that tells them apart.
    coming = [(writer.now + chance.uniform(0, 0.5), user) for user in tries]
    heapq.heapify(coming)

    def let_come(until: float) -> None:
        while coming and coming[0][0] <= until:
            at, user = heapq.heappop(coming)
            writer.now = at
            tries[user] += 1
            pause = writer.offer(user, user=user)
            if pause is None:
                came[user] = at
            else:
                heapq.heappush(coming, (at + pause, user))

    while coming or writer.waiting:
        if not writer.waiting:
            let_come(coming[0][0])
            continue
        begun = writer.now
        seconds = writer.begin()
        let_come(begun + seconds)
        writer.now = begun + seconds
        writer.waiting.end(seconds)
        waits += [writer.now - came[job.item] for job in writer.batch]
    assert len(waits) == 5000
    assert max(waits) < 1.5 * PATIENCE
    assert sum(tries.values()) / 5000 < 3
    assert max(tries.values()) <= 8
